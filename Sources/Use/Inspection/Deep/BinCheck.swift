import ArchiveContract
import Clustering
import Geometry
import Points
import Recipes
import TileArchive
import VectorTile

/// Compares the bins of a layer in all tiles with those computed from its points.
struct BinCheck: Sendable {
    private let layer: String
    private let levels: [Int: Level]
    /// Whether the archive has all of its tiles; false if it is a part that was cut out.
    private let isWhole: Bool
    /// The deepest zoom of the bins' layer in `vector_layers`, which another check compares with all tiles.
    private let drawnMaxZoom: Int?
    /// The margin of tiles, in pixels of a tile of 512.
    private let buffer: Double

    /// The bins of a zoom.
    fileprivate struct Level: Sendable {
        let grid: BinGrid
        let sets: PointSets
        /// The numbers of bins, by their ids.
        let numbers: [UInt64: Int]
    }

    /// The results of a batch of tiles.
    private struct Found: Sendable {
        var findings = FindingList()
        /// The number of tiles in which each bin is.
        var seen: [UInt64: Int] = [:]
        /// Units to the side of a tile, by zoom.
        var extents: [Int: UInt32] = [:]

        mutating func merge(_ other: Found) {
            findings.merge(other.findings)
            seen.merge(other.seen, uniquingKeysWith: +)
            extents.merge(other.extents) { $1 }
        }
    }

    /// - Returns: nil if the layer has no bins.
    init?(
        _ restored: RestoredLayer, buffer: Double, in metadata: ArchiveMetadata, threads: Int
    ) throws {
        isWhole = metadata.tileStats != nil
        self.buffer = buffer
        let said = restored.said
        guard let bins = said.bins, said.minZoom <= bins.maxZoom else { return nil }
        let name = CompanionLayer.bins.name(beside: restored.name)
        layer = name
        drawnMaxZoom = metadata.vectorLayers.first { $0.id == name }?.maxZoom.map(Int.init)
        var options = ClusterOptions()
        options.aggregates = try restored.rules?.parsedAggregates() ?? []
        options.clusterProperties = try restored.rules?.parsedClusterProperties() ?? []
        options.facets = restored.facets
        let rows = Column(0..<UInt32(restored.points.count))
        var levels: [Int: Level] = [:]
        for zoom in said.minZoom...bins.maxZoom {
            let grid = BinGrid(bins.bins, zoom: zoom)
            let sets = PointSets(
                of: restored.points, rows: rows, options: options, bits: grid.bits, threads: threads
            ) { grid.bin(at: restored.points.position(of: $0)) }
            var numbers: [UInt64: Int] = [:]
            for set in 0..<sets.numbers.count { numbers[grid.id(of: sets.numbers[set])] = set }
            levels[zoom] = Level(grid: grid, sets: sets, numbers: numbers)
        }
        self.levels = levels
    }

    func run(_ archive: Archive, threads: Int, _ findings: inout FindingList) throws {
        var all = Found()
        let check = self
        let zooms = (levels.keys.min() ?? 0)...(levels.keys.max() ?? 0)
        _ = try ArchiveWalk(archive: archive, zooms: zooms, threads: threads).run(
            state: {}, output: { Found() },
            visit: { _, found, tile in
                guard case .success(let bytes) = tile.contents else { return }
                // A bin is in no more tiles than meet at a corner, twice that at the world's edge.
                for id in tile.group.firsts(8) { check.check(bytes.span, in: id, &found) }
            },
            consume: { all.merge($0) })
        findings.merge(all.findings)
        guard isWhole else { return }
        if let drawnMaxZoom, drawnMaxZoom != zooms.upperBound {
            findings.add(
                .error, "bins", "bins end at another zoom than the archive says",
                at: "\(layer): \(drawnMaxZoom), not \(zooms.upperBound)")
        }
        for (zoom, level) in levels.sorted(by: { $0.key < $1.key }) {
            let missing = level.numbers.keys.count { all.seen[$0] == nil }
            guard missing == 0 else {
                findings.add(
                    .error, "bins", "bins that hold points are in no tile",
                    at: "zoom \(zoom), \(layer): \(missing) of \(level.numbers.count)")
                continue
            }
            checkCopies(of: level, all, &findings)
        }
    }

    /// Each bin must be in all tiles that it reaches into, margins included.
    private func checkCopies(of level: Level, _ found: Found, _ findings: inout FindingList) {
        guard let extent = found.extents[level.grid.zoom], extent.nonzeroBitCount == 1 else {
            return
        }
        let margin = CopyCheck.margin(buffer, ofExtent: Int64(extent))
        let extentBits = UInt8(extent.trailingZeroBitCount)
        let amiss = level.numbers.count { id, set in
            let outline = BinOutline(
                of: level.sets.numbers[set], in: level.grid, extentBits: extentBits, buffer: margin)
            return found.seen[id] != outline.tiles.count
        }
        guard amiss > 0 else { return }
        findings.add(
            .error, "bins", "bins are not in all tiles that they reach into",
            at: "zoom \(level.grid.zoom), \(layer): \(amiss) of \(level.numbers.count)")
    }

    private func check(_ bytes: Span<UInt8>, in tile: TileID, _ found: inout Found) {
        do throws(TileError) {
            var reader = try TileReader(bytes)
            while let layer = try reader.nextLayer() {
                guard layer.name == self.layer else { continue }
                found.extents[Int(tile.z)] = layer.extent
                var features = layer.features()
                while let feature = try features.next() {
                    guard let fault = try fault(of: feature, in: layer, tile) else {
                        found.seen[feature.id ?? 0, default: 0] += 1
                        continue
                    }
                    found.findings.add(
                        .error, "bins", "a bin is not what the points in it come to",
                        at: "\(tile): bin \(feature.id ?? 0): \(fault)")
                }
            }
        } catch {
            // The walk before has found this.
        }
    }

    private func fault(
        of feature: borrowing FeatureView, in layer: borrowing LayerView, _ tile: TileID
    ) throws(TileError) -> String? {
        guard let level = levels[Int(tile.z)], let set = level.numbers[feature.id ?? 0] else {
            return "no point is in it"
        }
        var expected = level.attributes(of: set)
        var tags = feature.tags()
        while let tag = try tags.next() {
            let name = layer.key(at: tag.key)
            let value = AttributeValue(layer.value(at: tag.value).value)
            guard let remade = expected.removeValue(forKey: name),
                remade == value || remade.asNumber == value.asNumber && value.asNumber != nil
            else { return "\(name) is another" }
        }
        if let missing = expected.keys.sorted().first { return "\(missing) is missing" }
        return try level.hasCorners(feature, of: set, in: tile, extent: layer.extent)
            ? nil : "it has other corners"
    }
}

extension BinCheck.Level {
    /// The attributes of the feature of a bin.
    fileprivate func attributes(of set: Int) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [
            ClusterAttribute.pointCount.name: .integer(Int64(sets.counts[set]))
        ]
        if let quadbin = grid.quadbin(of: sets.numbers[set]) {
            values[Bins.quadbin] = .text(quadbin)
        }
        sets.attributes.withRecord(of: set) { record in
            var cursor = record.makeCursor()
            while let attribute = cursor.next() {
                values[sets.attributes.keys.name(of: attribute.key)] = attribute.value.unpacked
            }
        }
        return values
    }

    /// Whether each corner of each ring is drawn to the nearest unit.
    fileprivate func hasCorners(
        _ feature: borrowing FeatureView, of set: Int, in tile: TileID, extent: UInt32
    ) throws(TileError) -> Bool {
        guard case .rings(let rings) = try feature.geometry(), !rings.isEmpty else { return false }
        let world = Double(UInt64(extent) << UInt64(tile.z))
        let corners = grid.corners(of: sets.numbers[set]).map { corner in
            (
                x: corner.x * world - Double(tile.x) * Double(extent),
                y: corner.y * world - Double(tile.y) * Double(extent)
            )
        }
        return rings.allSatisfy { ring in
            guard ring.count == corners.count else { return false }
            // Moves the bin a world's width east or west where the antimeridian is near.
            let turn = ((Double(ring[0].x) - corners[0].x) / world).rounded() * world
            return zip(ring, corners).allSatisfy { drawn, corner in
                abs(Double(drawn.x) - corner.x - turn) <= 0.51
                    && abs(Double(drawn.y) - corner.y) <= 0.51
            }
        }
    }
}
