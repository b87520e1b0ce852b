import Geometry
import Inspection
import JSON
import MessageTiles
import Testing
import TileArchive
import VectorTile

/// The figures of a survey, held against a count of its own over all tiles.
struct FigureTests {
    private func tiles(_ built: BuiltArchive) throws -> [(TileID, stored: Int, bytes: [UInt8])] {
        var list: [(TileID, stored: Int, bytes: [UInt8])] = []
        var reader = try built.archive.openTiles()
        var sized: [SizedTile] = []
        try built.archive.listTiles { sized.append($0) }
        for tile in sized {
            let bytes = try #require(try reader.inflatedTile(at: tile.tile, limit: 1 << 20))
            list.append((tile.tile, tile.bytes, bytes))
        }
        return list
    }

    private func varintSize(_ number: Int) -> Int {
        var (size, rest) = (1, number >> 7)
        while rest > 0 { (size, rest) = (size + 1, rest >> 7) }
        return size
    }

    /// What the features of some tiles come to.
    private struct Counts {
        var features = 0, copies = 0, clusters = 0, points = 0
        var largest: (points: Int, tile: TileID)?

        init(of tiles: [(TileID, [UInt8])]) throws {
            for (id, bytes) in tiles {
                for layer in try MessageTiles.Tile(bytes.span).layers {
                    for feature in layer.features { include(feature, of: layer, id) }
                }
            }
        }

        private mutating func include(
            _ feature: MessageTiles.Tile.Feature, of layer: MessageTiles.Tile.Layer, _ id: TileID
        ) {
            features += 1
            guard feature.coordinates.allSatisfy({ 0..<Int64(layer.extent) ~= $0 }) else {
                copies += 1
                return
            }
            let count = feature["point_count"]?.number ?? 1
            points += count
            guard feature.isCluster else { return }
            clusters += 1
            if count > largest?.points ?? 0 { largest = (count, id) }
        }
    }

    @Test(arguments: [ArchiveKind.single, .layers, .wrapped])
    func `each figure of a zoom is what its tiles come to`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let tiles = try tiles(built)
        let survey = try Survey(of: built.archive, threads: 2)
        #expect(survey.tiles == tiles.count && survey.unreadableTiles == 0 && survey.hasClusters)
        for zoom in survey.zooms {
            let mine = tiles.filter { Int($0.0.z) == zoom.zoom }
            #expect(zoom.tiles == mine.count)
            #expect(zoom.bytes == mine.reduce(0) { $0 + $1.stored })
            #expect(zoom.inflatedBytes == mine.reduce(0) { $0 + $1.bytes.count })
            #expect(zoom.averageBytes == zoom.bytes / mine.count)
            let most = mine.map(\.stored).max(), least = mine.map(\.stored).min()
            #expect(zoom.largest?.tile == mine.first { $0.stored == most }?.0)
            #expect(zoom.smallest?.tile == mine.first { $0.stored == least }?.0)
            var classes = [Int](repeating: 0, count: 33)
            for tile in mine {
                classes[(0...32).first { tile.stored <= 1 << $0 } ?? 32] += 1
            }
            #expect(zoom.sizeClasses == classes)
            let counts = try Counts(of: mine.map { ($0.0, $0.2) })
            #expect(zoom.features == counts.features && zoom.copies == counts.copies)
            #expect(zoom.clusters == counts.clusters && zoom.points == counts.points)
            #expect(zoom.largestCluster?.points == counts.largest?.points)
            #expect(zoom.largestCluster?.tile == counts.largest?.tile)
        }
        #expect(
            survey.sizeClasses.reduce(0, +) == tiles.count && survey.sizeClasses.last == 0)
    }

    /// Bytes and features by layer and part, and by attribute and part.
    private func sizes(
        of tiles: [[UInt8]]
    ) throws -> (parts: [String: [String: Int]], attributes: [String: [String: Int]]) {
        var parts: [String: [String: Int]] = [:]
        var attributes: [String: [String: Int]] = [:]
        for bytes in tiles {
            var reader = try TileReader(bytes.span)
            while let layer = try reader.nextLayer() {
                var counts = ["tiles": 1, "bytes": layer.byteCount]
                for key in 0..<layer.keyCount {
                    counts["keys", default: 0] += layer.key(at: key).utf8.count
                    attributes["\(layer.name).\(layer.key(at: key))", default: [:]][
                        "keys", default: 0] += layer.key(at: key).utf8.count
                }
                for value in 0..<layer.valueCount {
                    counts["values", default: 0] += layer.value(at: value).bytes.count
                }
                var features = layer.features()
                while let feature = try features.next() {
                    counts["features", default: 0] += 1
                    counts["geometry", default: 0] += feature.packedGeometry.count
                    var tags = feature.tags()
                    while let tag = try tags.next() {
                        let size = varintSize(tag.key) + varintSize(tag.value)
                        counts["tags", default: 0] += size
                        let name = "\(layer.name).\(layer.key(at: tag.key))"
                        attributes[name, default: [:]]["tags", default: 0] += size
                        attributes[name, default: [:]]["features", default: 0] += 1
                    }
                }
                parts[layer.name, default: [:]].merge(counts, uniquingKeysWith: +)
            }
        }
        return (parts, attributes)
    }

    @Test(arguments: [ArchiveKind.single, .layers])
    func `each figure of a layer and its attributes is what its tiles come to`(
        kind: ArchiveKind
    ) throws {
        let built = try BuiltArchive(kind)
        let survey = try Survey(of: built.archive, threads: 2)
        let (parts, attributes) = try sizes(of: tiles(built).map { $0.2 })
        #expect(survey.layers.map(\.name).sorted() == parts.keys.sorted())
        for layer in survey.layers {
            let part = try #require(parts[layer.name])
            #expect(layer.tiles == part["tiles"] && layer.bytes == part["bytes"])
            #expect(layer.features == part["features"])
            #expect(layer.features(of: .point) == part["features"])
            #expect(layer.features(of: .polygon) == 0 && layer.skippedFeatures == 0)
            #expect(layer.keyBytes == part["keys"] && layer.valueBytes == part["values"])
            #expect(layer.geometryBytes == part["geometry"] && layer.tagBytes == part["tags"])
            #expect(layer.zooms == 0...4 && layer.versions == 2...2 && !layer.hasMoreAttributes)
            #expect(layer.extents.lowerBound == 4_096)
            for attribute in layer.attributes {
                let counts = try #require(attributes["\(layer.name).\(attribute.name)"])
                #expect(attribute.features == counts["features"])
                #expect(attribute.tagBytes == counts["tags"])
                #expect(attribute.keyBytes == counts["keys"])
            }
            // Each value counts for one attribute.
            #expect(layer.attributes.reduce(0) { $0 + $1.valueBytes } == layer.valueBytes)
            let json = try #require(layer.json.asObject)
            #expect(json["tag_bytes"] == .integer(Int64(layer.tagBytes)))
            #expect(json["features_by_type"]?.asObject?.members.map(\.key) == ["Point"])
        }
    }

    @Test func `the JSON of an archive has its metadata and all figures`() throws {
        let built = try BuiltArchive(.single, keepsHash: true)
        let archive = try built.archive
        let survey = try Survey(of: archive, threads: 1)
        let json = try #require(archive.summary(with: survey).asObject)
        #expect(json["container"] == "mbtiles" && json["cluster_index"] == true)
        #expect(json["tiles"] == .integer(Int64(survey.tiles)))
        #expect(json["warnings"] == [])
        let metadata = try #require(json["metadata"]?.asObject)
        #expect(metadata["json"]?.asObject?["vector_layers"] != nil)
        #expect(metadata["covey"]?.asObject?["layers"] != nil)
        #expect(metadata["name"] == "Sample")
        let zooms = try #require(json["zooms"]?.asArray)
        for (zoom, entry) in zip(survey.zooms, zooms) {
            let entry = try #require(entry.asObject)
            #expect(entry["zoom"] == .integer(Int64(zoom.zoom)))
            #expect(entry["margin_copies"] == .integer(Int64(zoom.copies)))
            #expect(entry["features"] == .integer(Int64(zoom.features)))
            #expect(entry["clusters"] == .integer(Int64(zoom.clusters)))
            #expect(entry["point_count"] == .integer(Int64(zoom.points)))
            #expect(entry["unreadable_tiles"] == nil)
            #expect(
                entry["largest_tile"]?.asObject?["bytes"] == .integer(Int64(zoom.largest!.bytes)))
            #expect((entry["largest_cluster"] == nil) == (zoom.largestCluster == nil))
        }
    }

    @Test func `zooms are told as soon as they are whole, in their order`() throws {
        let built = try BuiltArchive(.single)
        for zooms in [0...31, 1...3, 2...2] {
            var told: [Int] = []
            let survey = try Survey(of: built.archive, zooms: zooms, threads: 2) { zoom in
                told.append(zoom.zoom)
            }
            #expect(told == survey.zooms.map(\.zoom))
            #expect(told == Array(zooms.clamped(to: 0...4)))
        }
    }

    @Test func `tiles that cannot be read are counted`() throws {
        let built = try BuiltArchive(.single)
        try built.write(stored: [0x1F, 0x8B, 8, 0], at: TileID(z: 0, x: 0, y: 0))
        let survey = try Survey(of: built.archive, threads: 1)
        #expect(survey.unreadableTiles == 1 && survey.zooms[0].unreadableTiles == 1)
        let warnings = try built.archive.summary(with: survey).asObject?["warnings"]?.asArray
        #expect(warnings == ["1 tile cannot be read; covey verify says why"])
        #expect(survey.zooms[0].points == 0 && survey.zooms[0].tiles == 1)
        #expect(survey.zooms[0].json.asObject?["unreadable_tiles"] == 1)
    }

    @Test func `a tile without bytes is the smallest and the largest`() throws {
        let built = try BuiltArchive(.single)
        try built.change("UPDATE tiles SET tile_data = x'' WHERE zoom_level = 0")
        let zoom = try #require(try Survey(of: built.archive, threads: 1).zooms.first)
        #expect(zoom.largest?.bytes == 0 && zoom.smallest?.bytes == 0 && zoom.sizeClasses[0] == 1)
    }

    @Test func `attributes past the ten-thousandth are counted for no other`() throws {
        let tags = (0..<10_050).map { MessageTiles.Tile.Tag("k\($0)", .bool(true)) }
        let bytes = MessageTiles.Tile(layers: [
            .init(name: "l", features: [.init(.points([.init(x: 1, y: 1)]), tags: tags)])
        ]).packed()
        let report = TileReport(of: bytes, tile: nil)
        let layer = try #require(report.survey.layers.first)
        #expect(layer.attributes.count == 10_000 && layer.hasMoreAttributes)
        #expect(layer.attributes.allSatisfy { $0.features == 1 })
    }
}
