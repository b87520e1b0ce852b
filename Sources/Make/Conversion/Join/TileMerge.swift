import ArchiveContract
import Basics
import Compression
import Geometry
import TileArchive
import VectorTile

/// Merges tiles of several archives: layers side by side, and features of layers that share a name one after
/// another, with new ids for clusters whose leaves have new numbers. Each worker has its own.
struct TileMerge: ~Copyable {
    private let plan: JoinPlan
    private let paths: [String]
    private let tally: JoinTally
    private var builder = TileBuilder()
    private var inflater = GzipInflater()
    private let idKey = Array(ClusterAttribute.clusterID.name.utf8)
    private let parentKey = Array(ClusterAttribute.parent.name.utf8)

    init(_ plan: JoinPlan, paths: [String], _ tally: JoinTally) {
        self.plan = plan
        self.paths = paths
        self.tally = tally
    }

    /// A stored tile of one of the archives.
    struct Part: Sendable {
        let source: Int
        let bytes: [UInt8]
    }

    /// The plain bytes of a part, and where its layers are in them.
    private struct Opened {
        let source: Int
        let bytes: [UInt8]
        let index: TileIndex
    }

    /// The layers of one name, by part and number, in the order of their parts.
    private struct Namesakes {
        let name: String
        var places: [(part: Int, layer: Int)] = []
    }

    /// The plain bytes of the tile that all parts make together.
    mutating func merge(_ parts: [Part], of tile: TileID) throws(ConversionError) -> [UInt8] {
        var opened: [Opened] = []
        for part in parts {
            let bytes = try inflated(part, tile)
            opened.append(
                Opened(source: part.source, bytes: bytes, index: TileIndex(of: bytes.span)))
        }
        do throws(TileError) {
            for namesakes in try namesakes(in: opened) { try append(namesakes, of: opened) }
        } catch {
            // A tile that failed halfway must not affect the next one.
            builder = TileBuilder()
            throw .damagedTile(
                path: parts.map { paths[$0.source] }.joined(separator: ", "),
                tile: tile.description, reason: "\(error)")
        }
        let bytes = builder.copyBytes()
        builder.removeAll()
        return bytes
    }

    private mutating func inflated(_ part: Part, _ tile: TileID) throws(ConversionError) -> [UInt8]
    {
        guard GzipInflater.isGzip(part.bytes.span) else { return part.bytes }
        do {
            return try inflater.inflate(part.bytes.span, limit: TileLookup.largestTile)
        } catch {
            throw .damagedTile(
                path: paths[part.source], tile: tile.description, reason: "\(error)")
        }
    }

    /// The layers by name in the order of their leaves; layers without leaves come last.
    private func namesakes(in parts: [Opened]) throws(TileError) -> [Namesakes] {
        var all: [Namesakes] = []
        var numbers: [String: Int] = [:]
        for (number, part) in parts.enumerated() {
            if let fault = part.index.fault { throw fault }
            for layer in 0..<part.index.layerCount {
                let name = part.index.layer(at: layer, of: part.bytes.span).name
                let known = numbers[name] ?? all.count
                if known == all.count {
                    numbers[name] = known
                    all.append(Namesakes(name: name))
                }
                all[known].places.append((number, layer))
            }
        }
        return all.inOrder(of: plan.units.map(\.layer.name), by: \.name)
    }

    /// The layers without those that another part of the same archive has as well.
    private func distinct(
        _ places: [(part: Int, layer: Int)], of parts: [Opened]
    ) -> [(part: Int, layer: Int)] {
        if plan.parts.count < 2 { return places }
        return places.indices.filter { index in
            let own = parts[places[index].part]
            let bytes = own.index.layerBytes(at: places[index].layer, of: own.bytes.span)
            return !places[..<index].contains { place in
                let other = parts[place.part]
                return other.source != own.source
                    && plan.parts.isSuperset(of: [own.source, other.source])
                    && other.index.layerBytes(at: place.layer, of: other.bytes.span)
                        .holdsSame(as: bytes)
            }
        }.map { places[$0] }
    }

    private mutating func append(
        _ namesakes: Namesakes, of parts: [Opened]
    ) throws(TileError) {
        let (name, places) = (namesakes.name, distinct(namesakes.places, of: parts))
        // The extent is the greatest of theirs, all of which are powers of two.
        var (extent, version): (UInt32, UInt32) = (0, 1)
        for place in places {
            let part = parts[place.part]
            let layer = part.index.layer(at: place.layer, of: part.bytes.span)
            extent = max(extent, layer.extent)
            version = max(version, layer.version)
        }
        builder.beginLayer(name, extent: extent, version: version)
        var ids = SharedIDs(isNeeded: places.count > 1)
        var last = places[0].part
        for place in places {
            if place.part != last { ids.endTile() }
            last = place.part
            let part = parts[last]
            let layer = part.index.layer(at: place.layer, of: part.bytes.span)
            let change = plan.change(ofIDsIn: name, of: part.source)
            try append(layer, scale: Int32(extent / max(layer.extent, 1)), change, &ids)
        }
        builder.endLayer()
        tally.countSharedIDs(ids.count, in: name)
    }

    private mutating func append(
        _ layer: borrowing LayerView, scale: Int32, _ change: (Int64) -> Int64?,
        _ ids: inout SharedIDs
    ) throws(TileError) {
        var keys: [TileKey] = []
        var (idKeyNumber, parentKeyNumber): (Int?, Int?)
        let saysParent = plan.saysParent(layer.name)
        for index in 0..<layer.keyCount {
            let name = layer.keyBytes(at: index)
            keys.append(builder.key(utf8: name))
            if name.holdsSame(as: idKey) { idKeyNumber = index }
            if saysParent, name.holdsSame(as: parentKey) { parentKeyNumber = index }
        }
        var features = layer.features()
        while let feature = try features.next() {
            var newID: Int64?
            if let idKeyNumber { newID = try id(of: feature, in: layer, idKeyNumber, change) }
            let id = newID.flatMap { UInt64(exactly: $0) } ?? feature.id
            ids.include(id)
            if scale == 1 {
                builder.beginFeature(
                    id: id, type: feature.type, packedGeometry: feature.packedGeometry)
            } else {
                builder.beginFeature(id: id, try feature.geometry().scaled(by: scale))
            }
            var tags = feature.tags()
            while let tag = try tags.next() {
                if tag.key == idKeyNumber, let id, newID != nil {
                    builder.addTag(keys[tag.key], .uint(id))
                } else if tag.key == parentKeyNumber, newID != nil,
                    case .uint(let parent) = layer.value(at: tag.value).value,
                    let moved = Int64(exactly: parent).flatMap(change)
                {
                    builder.addTag(keys[tag.key], .uint(UInt64(moved)))
                } else {
                    builder.addTag(keys[tag.key], packed: layer.value(at: tag.value).bytes)
                }
            }
            builder.endFeature()
        }
    }

    /// The new id of a feature, if it is a cluster whose id changes.
    private func id(
        of feature: borrowing FeatureView, in layer: borrowing LayerView, _ key: Int,
        _ change: (Int64) -> Int64?
    ) throws(TileError) -> Int64? {
        var tags = feature.tags()
        while let tag = try tags.next() {
            guard tag.key == key else { continue }
            switch layer.value(at: tag.value).value {
            case .uint(let id): return Int64(exactly: id).flatMap(change)
            case .int(let id), .sint(let id): return change(id)
            default: return nil
            }
        }
        return nil
    }
}

/// Counts ids of a layer's features that occur in several tiles.
private struct SharedIDs {
    private let isNeeded: Bool
    private var known: Set<UInt64> = []
    private var own: [UInt64] = []
    private(set) var count = 0

    init(isNeeded: Bool) { self.isNeeded = isNeeded }

    mutating func include(_ id: UInt64?) {
        guard isNeeded, let id else { return }
        if known.contains(id) { count += 1 }
        own.append(id)
    }

    /// Ends an archive's tile; the next features are of another archive.
    mutating func endTile() {
        known.formUnion(own)
        own.removeAll()
    }
}

extension TileGeometry {
    fileprivate func scaled(by factor: Int32) -> TileGeometry {
        func scaled(_ points: [TilePoint]) -> [TilePoint] {
            points.map { TilePoint(x: $0.x &* factor, y: $0.y &* factor) }
        }
        return switch self {
        case .points(let points): .points(scaled(points))
        case .lines(let lines): .lines(lines.map(scaled))
        case .rings(let rings): .rings(rings.map(scaled))
        case .unknown: self
        }
    }
}
