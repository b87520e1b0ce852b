import Basics
import Conversion
import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// Adds up figures of tiles, one after another, in memory that it reuses.
struct TileDigester: Sendable {
    let takesFingerprints: Bool
    private let conventions: TileConventions
    /// A key of the present layer: its attribute's index, or -1.
    private struct Key {
        var attribute: Int
        var hash: UInt64
    }
    /// One of the layer's values.
    private struct Value {
        var kinds: ValueKinds
        var hash: UInt64
        /// Its size if it has not been counted yet; 0 from then on.
        var uncountedBytes: Int
    }
    private var keys: [Key] = []
    private var values: [Value] = []
    private var layerHash: UInt64 = 0
    private var letters = AbbreviatedCount.Letters.small
    /// The index of the key with which a point gives its true place.
    private var placeKey = -1

    init(takesFingerprints: Bool, _ conventions: TileConventions = TileConventions()) {
        self.takesFingerprints = takesFingerprints
        self.conventions = conventions
    }

    /// Adds a tile to a survey and hands its single-point features to `nodes`.
    ///
    /// Returns why the tile could not be read to its end; what comes before is counted.
    ///
    /// Of several tiles with the same contents, the first is read and counted for each. Nodes are
    /// those of the first, and refer to its layers by number.
    /// - Parameter index: the places of the tile's layers, if they are known.
    mutating func digest(
        _ tile: OpenedTile, _ index: TileIndex? = nil, into survey: inout Survey,
        nodes: inout some NodeSink
    ) -> TileFault? {
        if tile.group.count > 1 {
            var (one, first) = (Survey(), tile)
            first.group = TileGroup(tile.id)
            defer { survey.merge(one, over: tile.group) }
            return digest(first, index, into: &one, nodes: &nodes)
        }
        survey[zoom: tile.id.z].include(tile)
        do throws(TileFault) {
            let bytes = try tile.inflated
            survey[zoom: tile.id.z].inflatedBytes += bytes.count
            do throws(TileError) {
                try digest(bytes.span, index, of: tile.id, into: &survey, nodes: &nodes)
            } catch {
                throw .contents(error)
            }
            return nil
        } catch {
            survey[zoom: tile.id.z].unreadableTiles += 1
            return error
        }
    }

    private mutating func digest(
        _ bytes: Span<UInt8>, _ index: TileIndex?, of tile: TileID, into survey: inout Survey,
        nodes: inout some NodeSink
    ) throws(TileError) {
        var reader = try TileReader(bytes, index)
        while let layer = try reader.nextLayer() {
            let index = survey.index(of: layer, zoom: tile.z)
            let companion = companion(layer)
            // These features cannot be checked.
            let isHandedOn =
                companion == nil && !(takesFingerprints && conventions.isForeign(layer))
            if isHandedOn { nodes.begin(layer, of: tile) }
            let counts = try digest(
                layer, companion, of: tile, into: &survey.layers[index], number: index
            ) { node in
                if isHandedOn { nodes.take(node) }
            }
            survey[zoom: tile.z].features += layer.featureCount
            if companion == nil {
                survey[zoom: tile.z].include(counts, in: tile)
            } else {
                survey.layers[index].isCompanion = true
            }
        }
    }

    private mutating func digest(
        _ layer: borrowing LayerView, _ companion: CompanionLayer?, of tile: TileID,
        into figures: inout LayerFigures, number: Int, hand: (DrawnNode) -> Void
    ) throws(TileError) -> NodeCounts {
        let isHeat = companion == .heat
        let clusterKeys = ClusterKeyIndices(of: layer, countsWithoutFlag: isHeat)
        prepare(layer, &figures)
        var box = figures.boxes[tile.z] ?? .empty
        var counts = NodeCounts()
        var features = layer.features()
        while let feature = try features.next() {
            var node = DrawnNode(
                layer: Int32(number), position: TilePoint(x: 0, y: 0),
                extent: Int32(truncatingIfNeeded: layer.extent), hasID: feature.id != nil,
                id: feature.id ?? 0)
            node.cluster.isFlagged = isHeat
            try readTags(of: feature, layer, clusterKeys, &node, &figures)
            figures.featuresByType[Int(feature.type.rawValue)] += 1
            figures.geometryBytes += feature.packedGeometry.count
            figures.tagBytes += feature.tagByteCount
            if node.cluster.hasFraction { figures.fractions += 1 }
            if let position = feature.point {
                node.position = position
                if node.isInTile {
                    box.include(WorldPoint(position, in: tile, extent: layer.extent))
                }
                counts.include(node)
                hand(node)
            } else if companion == nil {
                // As for the bounds of a part: `DrawnFigures`.
                box.include(feature, in: tile, extent: layer.extent)
            }
        }
        figures.skippedFeatures += features.skipped.count
        figures.clusters += counts.clusters
        figures.pointsByZoom[tile.z, default: 0] &+= counts.points
        if !box.isEmpty { figures.boxes[tile.z] = box }
        return counts
    }

    private func companion(_ layer: borrowing LayerView) -> CompanionLayer? {
        conventions.companions.isEmpty ? nil : conventions.companions[layer.name]
    }

    /// Looks up the layer's keys and values once, before its features refer to them.
    private mutating func prepare(
        _ layer: borrowing LayerView, _ figures: inout LayerFigures
    ) {
        if takesFingerprints { layerHash = Fingerprint.hash(of: layer.nameBytes) }
        let letters = conventions.countLetters
        self.letters = letters.isEmpty ? .small : letters[layer.name] ?? .small
        placeKey = -1
        let isSpread = !conventions.spread.isEmpty && conventions.spread.contains(layer.name)
        figures.tiles += 1
        figures.bytes += layer.byteCount
        keys.removeAll(keepingCapacity: keys.capacity < Self.many)
        for index in 0..<layer.keyCount {
            let key = layer.keyBytes(at: index)
            if isSpread, layer.key(at: index) == PointSpread.attribute { placeKey = index }
            figures.keyBytes += key.count
            let hash = Fingerprint.hash(of: key)
            let attribute = figures.index(ofKey: key, hash: hash)
            keys.append(Key(attribute: attribute ?? -1, hash: hash))
            if let attribute { figures.attributes[attribute].keyBytes += key.count }
        }
        values.removeAll(keepingCapacity: values.capacity < Self.many)
        for index in 0..<layer.valueCount {
            let value = layer.value(at: index).bytes
            figures.valueBytes += value.count
            values.append(
                Value(
                    kinds: .init(ofValue: value),
                    hash: takesFingerprints ? Fingerprint.hash(of: value) : 0,
                    uncountedBytes: value.count))
        }
    }

    /// The most keys or values for which the tables are kept between layers.
    private static let many = 1 << 15

    private mutating func readTags(
        of feature: borrowing FeatureView, _ layer: borrowing LayerView,
        _ clusterKeys: ClusterKeyIndices, _ node: inout DrawnNode, _ figures: inout LayerFigures
    ) throws(TileError) {
        var sum = layerHash
        var abbreviated: Int?
        var tags = feature.tags()
        while let tag = try tags.next() {
            let key = keys[tag.key]
            if key.attribute >= 0 { count(tag, for: &figures.attributes[key.attribute]) }
            if clusterKeys.areThere {
                clusterKeys.note(tag, of: layer, in: &node.cluster)
                if tag.key == clusterKeys.abbreviatedKey { abbreviated = tag.value }
            }
            if tag.key == placeKey {
                // Not an attribute of the point itself: it gives the point's true place.
                node.note(placeWrittenAs: layer.value(at: tag.value))
                continue
            }
            if takesFingerprints {
                sum &+= Fingerprint.mix(key.hash, values[tag.value].hash)
            }
        }
        guard takesFingerprints else { return }
        node.fingerprint = Fingerprint.mix(sum, node.hasID ? node.id : .max)
        if let abbreviated, let text = layer.value(at: abbreviated).textBytes {
            node.cluster.isAbbreviatedWell = text.abbreviates(
                node.cluster.pointCount, letters)
        }
    }

    @inline(__always)
    private mutating func count(_ tag: TagCursor.Tag, for attribute: inout AttributeFigures) {
        attribute.features += 1
        attribute.tagBytes += Varint.size(of: tag.key) + Varint.size(of: tag.value)
        attribute.kinds.formUnion(values[tag.value].kinds)
        attribute.valueBytes += values[tag.value].uncountedBytes
        values[tag.value].uncountedBytes = 0
    }
}
