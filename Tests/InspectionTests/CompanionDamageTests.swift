import MessageTiles
import Testing
import VectorTile

/// Archives whose points are drawn apart and that have finer counts: whole, and damaged.
struct CompanionDamageTests {
    /// Changes the first feature of a tile that `body` takes, whatever its layer and shape.
    private func change(
        _ built: BuiltArchive, zooms: ClosedRange<Int> = 0...4,
        _ body: (inout VectorTile.Tile.Layer, Int) -> Bool
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
        deep: Bool = false, _ body: (inout VectorTile.Tile.Layer, Int) -> Bool
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

    @Test func `a point that says another place is found`() throws {
        let codes = try codes { layer, index in
            guard layer.name == "points", layer.features[index]["spread_of"] != nil else {
                return false
            }
            layer.features[index]["spread_of"] = .string("[12.5,3]")
            return true
        }
        #expect(codes == ["spread", "positions"])
    }

    @Test func `a point that does not say that it is drawn apart is found`() throws {
        let codes = try codes { layer, index in
            guard layer.name == "points", layer.features[index]["spread_of"] != nil else {
                return false
            }
            layer.features[index]["spread_of"] = nil
            return true
        }
        #expect(codes == ["positions"])
    }

    @Test func `a leg that is gone is found`() throws {
        let codes = try codes { layer, index in
            guard layer.name == "points_legs", layer.features.count > 1 else { return false }
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
            guard layer.name == "points", layer.features[index][name] != nil else { return false }
            layer.features[index][name] = .uint(3_000)
            return true
        }
        // It has a copy in a margin, which still says what is true.
        #expect(codes == ["attributes", "copies"])
    }
}
