import Geometry
import Inspection
import MessageTiles
import SQLite
import Testing
import TileArchive
import VectorTile

/// Damage done to tiles and their features, and exactly what is found of it.
struct DamagedFeatureTests {
    /// Changes a cluster's attribute in one tile.
    private func set(
        _ name: String, to value: TileValue?, of kind: ArchiveKind, deep: Bool = false
    ) throws -> Set<String> {
        let built = try BuiltArchive(kind)
        try built.changeFeature { feature, _ in
            guard feature.isCluster else { return false }
            feature[name] = value
            return true
        }
        return try built.codes(deep: deep)
    }

    @Test(arguments: ArchiveKind.usual)
    func `what a cluster says of itself must agree`(kind: ArchiveKind) throws {
        #expect(
            try set("cluster_id", to: .uint(7), of: kind)
                == ["cluster-id", "expansion-zoom", "leaf-range", "index"])
        #expect(try set("expansion_zoom", to: .uint(9), of: kind) == ["expansion-zoom"])
        #expect(try set("expansion_zoom", to: nil, of: kind) == ["expansion-zoom"])
        #expect(try set("point_count_abbreviated", to: .string("1k"), of: kind) == ["abbreviated"])
        #expect(try set("point_count_abbreviated", to: nil, of: kind) == ["abbreviated"])
        #expect(
            try set("point_count", to: .uint(1), of: kind)
                == ["point-count", "abbreviated", "sums", "index"])
        #expect(
            try set("point_count", to: .uint(90_000), of: kind)
                == ["leaf-range", "abbreviated", "sums", "index"])
    }

    @Test(arguments: ArchiveKind.usual)
    func `a cluster that keeps its id but not its feature's is found`(kind: ArchiveKind) throws {
        for id in [nil, 0, 7] as [UInt64?] {
            let built = try BuiltArchive(kind)
            try built.changeFeature { feature, _ in
                guard feature.isCluster else { return false }
                feature.id = id
                return true
            }
            #expect(try built.codes() == ["cluster-id"])
        }
    }

    @Test func `an id that is no number is told as none`() throws {
        let built = try BuiltArchive(.single)
        try built.changeFeature { feature, _ in
            guard feature.isCluster else { return false }
            feature["cluster_id"] = .string("x")
            return true
        }
        let finding = try built.findings().first { $0.code == "cluster-id" }
        #expect(finding?.locations.first?.hasSuffix("cluster -1") == true)
    }

    @Test(arguments: ArchiveKind.usual)
    func `a cluster that is drawn past its zoom is found`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        var stray: MessageTiles.Tile.Feature?
        try built.changeFeature(zooms: 0...3) { feature, _ in
            guard feature.isCluster, feature["expansion_zoom"]?.number ?? 9 <= 3 else {
                return false
            }
            stray = feature
            feature.tags[0] = feature.tags[0]
            return true
        }
        let cluster = try #require(stray)
        try built.changeFeature(zooms: 4...4) { feature, _ in
            feature = cluster
            return true
        }
        // What was drawn there may have been all that reached the bounds.
        let codes = try built.codes().subtracting(["bounds"])
        #expect(codes == ["past-expansion", "sums", "index"])
    }

    /// A slow build tries each step at one of the zooms, another one for each kind of archive.
    #if DEBUG
        private static func zooms(_ kind: ArchiveKind, _ step: (Int32, Int32)) -> [Int] {
            let number = ArchiveKind.usual.firstIndex(of: kind) ?? 0
            return [[0, 2, 4][(number + (step.0 < 0 || step.1 < 0 ? 1 : 0)) % 3]]
        }
    #else
        private static func zooms(_ kind: ArchiveKind, _ step: (Int32, Int32)) -> [Int] {
            [0, 2, 4]
        }
    #endif

    @Test(arguments: ArchiveKind.usual, [(40, 0), (0, 40), (-40, 0), (0, -40)])
    func `a node that is drawn elsewhere is found at every zoom`(
        kind: ArchiveKind, step: (Int32, Int32)
    ) throws {
        for zoom in Self.zooms(kind, step) {
            let built = try BuiltArchive(kind)
            var extent: UInt32 = 4_096
            try built.changeFeature(zooms: zoom...4) { feature, id in
                extent = (try? built.tile(id))?.layers[0].extent ?? extent
                let scale = Int32(extent / 4_096)
                feature.move(x: step.0 * scale, y: step.1 * scale)
                return true
            }
            let codes = try built.codes(deep: true)
            #expect(codes.isSuperset(of: ["moved"]), "zoom \(zoom)")
            // At the rim of the data it leaves the bounds.
            #expect(
                codes.isSubset(of: ["moved", "positions", "spacing", "bounds", "row-numbering"]))
        }
    }

    @Test func `a node moved by two units is found by a deep look`() throws {
        for kind in [ArchiveKind.single, .wrapped] {
            for zoom in 0...4 {
                let built = try BuiltArchive(kind)
                try built.changeFeature(zooms: zoom...4) { feature, _ in
                    feature.move(y: 2)
                    return true
                }
                #expect(try built.codes(deep: true).contains("moved"), "\(kind) \(zoom)")
            }
        }
    }

    @Test(arguments: [
        ("total", TileValue.uint(1)), ("mean", .double(0.125)), ("common", .string("pub")),
        ("kinds:bar", .uint(77)), ("low", .uint(99)), ("bbox", .string("[0,0,1,1]")),
        ("bbox", .string("[]")), ("bbox", .bool(true)), ("sqrt_point_count", .double(1.5)),
        ("point_weight", .uint(3)), ("unique_location", .bool(true)), ("name", .string("no one")),
        ("other", .uint(1)),
    ])
    func `an aggregate that is not that of the points is found by a deep look`(
        name: String, value: TileValue
    ) throws {
        let expected: Set<String> =
            name == "other" ? ["attributes", "fields"] : ["attributes"]
        let codes = try set(name, to: value, of: .single, deep: true)
        // Fields that no other feature has were not listed, and types may differ.
        #expect(
            codes.subtracting(["fields", "field-type", "carries"])
                == expected.subtracting(["fields"]))
    }

    @Test(arguments: ["total", "mean", "common", "bbox", "sqrt_point_count", "point_weight"])
    func `an attribute that is missing is found by a deep look`(name: String) throws {
        #expect(try set(name, to: nil, of: .single, deep: true) == ["attributes"])
        #expect(try set(name, to: nil, of: .single) == [])
    }

    @Test(arguments: ArchiveKind.usual)
    func `a missing tile is found by its margin and by the index`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        try built.change(
            "DELETE FROM tiles WHERE zoom_level = 2 AND tile_column = (SELECT min(tile_column) "
                + "FROM tiles WHERE zoom_level = 2)")
        var codes: Set = ["sums", "index", "missing-tile"]
        // There the tile held copies for a neighbour that is still there.
        if kind == .groups { codes.insert("copies") }
        #expect(try built.codes() == codes)
    }

    @Test(arguments: ArchiveKind.usual)
    func `tiles that are no tiles are found`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let tile = try #require(try built.tiles(at: 0).first)
        let bytes = try built.tile(tile).packed()
        try built.write(stored: bytes, at: tile)
        #expect(try built.codes() == ["not-gzip"])
        try built.write(stored: [0x1F, 0x8B, 8, 0], at: tile)
        #expect(try built.codes() == ["bad-gzip", "sums", "index"])
        try built.write(stored: Array(bytes.dropLast(3)), at: tile)
        #expect(try built.codes().isSuperset(of: ["not-gzip", "mvt-truncated"]))
    }
}

extension TileValue {
    var number: Int? {
        switch self {
        case .uint(let number): Int(number)
        default: nil
        }
    }
}
