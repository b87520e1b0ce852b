import MessageTiles
import Testing
import VectorTile

/// Archives whose points are drawn apart and that have finer counts: whole, and damaged.
struct CompanionDamageTests {
    /// Changes the first feature of a tile that `body` takes, whatever its layer and shape.
    private func change(
        _ built: BuiltArchive, zooms: ClosedRange<Int> = 0...4,
        _ body: (inout MessageTiles.Tile.Layer, Int) -> Bool
    ) throws {
        for zoom in zooms {
            for id in try built.tiles(at: zoom) {
                var tile = try built.tile(id)
                for layer in tile.layers.indices {
                    for feature in tile.layers[layer].features.indices.reversed()
                    where body(&tile.layers[layer], feature) {
                        return try built.write(tile, at: id)
                    }
                }
            }
        }
        Issue.record("no feature was changed")
    }

    private func codes(
        deep: Bool = false, _ body: (inout MessageTiles.Tile.Layer, Int) -> Bool
    ) throws -> Set<String> {
        let built = try BuiltArchive(.spread)
        try change(built, body)
        return try built.codes(deep: deep)
    }

    @Test func `a whole one has no findings, and points that are drawn apart`() throws {
        let built = try BuiltArchive(.spread)
        #expect(try built.findings(deep: true).isEmpty)
        var drawnApart = 0
        var legs = 0
        for id in try built.tiles(at: 4) {
            for layer in try built.tile(id).layers {
                if layer.name == "points_legs" { legs += layer.features.count }
                guard layer.name == "points" else { continue }
                drawnApart += layer.features.count { $0["spread_of"] != nil }
            }
        }
        #expect(drawnApart > 50 && legs >= drawnApart / 2)
    }

    /// Each changes a bin, or takes it away.
    private static let binDamages: [@Sendable (inout MessageTiles.Tile.Layer, Int) -> Void] = [
        { layer, index in layer.features[index]["point_count"] = .uint(1_000) },
        { layer, index in layer.features[index]["point_count"] = nil },
        { layer, index in layer.features[index]["more"] = .bool(true) },
        { layer, index in layer.features[index].id = 5 },
        { layer, index in layer.features[index].geometry[1] += 200 },
        { layer, index in layer.features.remove(at: index) },
    ]

    @Test(arguments: binDamages.indices) func `a bin that is another, or missing, is found`(
        damage: Int
    ) throws {
        let built = try BuiltArchive(.spread)
        let deepest = try #require(
            try (0...4).reversed().first { zoom in
                try built.tiles(at: zoom).contains { id in
                    try built.tile(id).layers.contains { $0.name == "points_bins" }
                }
            })
        try change(built, zooms: deepest...deepest) { layer, index in
            guard layer.name == "points_bins" else { return false }
            Self.binDamages[damage](&layer, index)
            return true
        }
        let codes = try built.codes(deep: true)
        #expect(codes.contains("bins"), "\(codes)")
    }

    @Test func `a bin that is missing where a neighbour draws it is found`() throws {
        let built = try BuiltArchive(.spread)
        var seen: [UInt64: Int] = [:]
        for id in try built.tiles(at: 1) {
            for layer in try built.tile(id).layers where layer.name == "points_bins" {
                for feature in layer.features { seen[feature.id ?? 0, default: 0] += 1 }
            }
        }
        try change(built, zooms: 1...1) { layer, index in
            guard layer.name == "points_bins", seen[layer.features[index].id ?? 0] == 2 else {
                return false
            }
            layer.features.remove(at: index)
            return true
        }
        #expect(try built.codes(deep: true).contains("bins"))
    }

    @Test(arguments: [
        (#""pixels":60"#, #""pixels":61"#, ["recipe", "bins"]),
        (#""pixels":60,"maxZoom":1"#, #""pixels":60,"maxZoom":11"#, ["bins"]),
        (#""pixels":60,"maxZoom":1"#, #""pixels":60,"maxZoom":0"#, ["bins"]),
    ])
    func `what an archive says of its bins is held against them`(
        old: String, new: String, codes: [String]
    ) throws {
        let built = try BuiltArchive(.spread)
        try built.change(
            "UPDATE metadata SET value = replace(value, '\(old)', '\(new)') WHERE name = 'covey'")
        #expect(try built.codes(deep: true) == Set(codes))
    }

    @Test func `a point that says another place is found`() throws {
        let codes = try codes { layer, index in
            guard layer.name == "points", layer.features[index]["spread_of"] != nil,
                layer.features[index].isInner(layer.extent)
            else { return false }
            layer.features[index]["spread_of"] = .string("[12.5,3]")
            return true
        }
        #expect(codes == ["spread", "positions"])
    }

    @Test func `a point that does not say that it is drawn apart is found`() throws {
        let codes = try codes { layer, index in
            guard layer.name == "points", layer.features[index]["spread_of"] != nil,
                layer.features[index].isInner(layer.extent)
            else { return false }
            layer.features[index]["spread_of"] = nil
            return true
        }
        #expect(codes == ["positions"])
    }

    @Test func `a point that is drawn too far off is found, even where its leg follows it`() throws
    {
        let built = try BuiltArchive(.spread)
        let moved = try built.tiles(at: 4).contains { id in
            var tile = try built.tile(id)
            guard Self.drawFurther(in: &tile) else { return false }
            try built.write(tile, at: id)
            return true
        }
        #expect(moved)
        let findings = try built.findings()
        #expect(findings.map(\.code) == ["spread"])
        #expect(findings.first?.message == "a point is drawn too far from its place")
        #expect(findings.first?.count == 1)
    }

    /// Moves a point and the end of its leg further off than any point may be drawn, far from all edges.
    private static func drawFurther(in tile: inout MessageTiles.Tile) -> Bool {
        guard let layer = tile.layers.firstIndex(where: { $0.name == "points" }),
            let legs = tile.layers.firstIndex(where: { $0.name == "points_legs" })
        else { return false }
        let extent = tile.layers[layer].extent
        for index in tile.layers[legs].features.indices {
            let leg = tile.layers[legs].features[index]
            // Where it begins, the one step's command, and how far the step goes.
            let (start, step) = (leg.coordinates[0..<2], leg.coordinates[3..<5])
            let end = [start[0] + step[3], start[1] + step[4]]
            guard
                let point = tile.layers[layer].features.firstIndex(where: {
                    $0["spread_of"] != nil && $0.coordinates == end
                }), tile.layers[layer].features[point].isInner(extent)
            else { continue }
            // At the deepest zoom a tile is 512 pixels wide, of which a point may be drawn 200 off.
            let further = Int32(extent) * 210 / 512
            var other = tile.layers[layer].features[point]
            other.move(x: start[0] < Int64(extent) / 2 ? further : -further)
            guard other.isInner(extent) else { continue }
            let ends = [start.map { Int32($0) }, other.coordinates.map { Int32($0) }]
            let line = ends.map { TilePoint(x: $0[0], y: $0[1]) }
            tile.layers[layer].features[point].geometry = other.geometry
            tile.layers[legs].features[index].geometry =
                MessageTiles.Tile.Feature(.lines([line])).geometry
            return true
        }
        return false
    }

    @Test func `a leg that is gone is found`() throws {
        let codes = try codes { layer, index in
            guard layer.name == "points_legs", layer.features.count > 1 else { return false }
            // Whose point stands in the tile itself. Behind the start comes the next step's command.
            let leg = layer.features[index].coordinates
            let isHere = [leg[0] + leg[3], leg[1] + leg[4]].allSatisfy {
                (0..<Int64(layer.extent)).contains($0)
            }
            guard isHere else { return false }
            layer.features.remove(at: index)
            return true
        }
        #expect(codes == ["spread"])
    }

    @Test func `counts of a heat layer that do not add up are found`() throws {
        let codes = try codes { layer, index in
            guard layer.name == "points_heat", layer.features[index]["point_count"] != nil else {
                return false
            }
            layer.features[index]["point_count"] = .uint(77)
            return true
        }
        #expect(codes == ["sums"])
    }

    @Test(arguments: ["parent", "parent_dx", "parent_dy"])
    func `a cluster that comes from elsewhere is found`(name: String) throws {
        let codes = try codes(deep: true) { layer, index in
            guard layer.name == "points", layer.features[index][name] != nil,
                !layer.features[index].isInner(layer.extent)
            else { return false }
            layer.features[index][name] = .uint(3_000)
            return true
        }
        // It is a copy in a margin; the tile that it stands in still says what is true.
        #expect(codes == ["attributes", "copies"])
    }
}
