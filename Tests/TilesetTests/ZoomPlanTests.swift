import ArchiveContract
import Geometry
import JSON
import Recipes
import Testing

@testable import Tileset

/// What a plan of zooms says of each, by a second look at the rules.
struct ZoomPlanTests {
    private static func plan(
        _ least: UInt8, _ last: UInt8, _ change: (inout TileOptions) -> Void = { _ in }
    ) -> ZoomPlan {
        var tiles = TileOptions()
        tiles.minZoom = least
        change(&tiles)
        return ZoomPlan(tiles, maxZoom: last, reason: "why")
    }

    private static func layer(_ clusters: JSONValue) throws -> Recipe.Layer {
        try Recipe(
            reading: JSONNode([
                "layers": [["name": "a", "sources": ["a.csv"], "clusters": clusters]]
            ])
        ).layers[0]
    }

    @Test(
        arguments: [(0, 0), (0, 5), (3, 9), (12, 14), (2, 20)] as [(UInt8, UInt8)], [10, 12, 16])
    func `a tile that covers others is as exact as the finest of them`(
        zooms: (least: UInt8, last: UInt8), bits: Int
    ) {
        for isCovering in [false, true] {
            let plan = Self.plan(zooms.least, zooms.last) { tiles in
                (tiles.extentBits, tiles.variableDepth) = (UInt8(bits), isCovering)
                tiles.buffer = 32
            }
            #expect(plan.zooms == zooms.least...zooms.last && plan.reason == "why")
            for zoom in plan.zooms {
                let grid = plan.grid(at: zoom)
                func own(_ zoom: UInt8) -> Int {
                    zoom == zooms.last
                        ? Int(plan.tiles.deepestExtentBits(at: zoom)) : bits
                }
                var exact = own(zoom)
                for below in Int(
                    zoom)...min(Int(zoom) + Int(ClusterDescription.coveredZooms), Int(zooms.last))
                where isCovering {
                    exact = max(exact, own(UInt8(below)) + below - Int(zoom))
                }
                #expect(Int(grid.extentBits) == exact && grid.zoom == zoom, "zoom \(zoom)")
                #expect(grid.buffer == 32 << exact / 512)
            }
        }
    }

    @Test func `clusters end where they are to, or one zoom above the deepest tiles`() throws {
        for (clusters, least, last, deepest) in [
            ([:], 0, 9, 8), (["maxZoom": 4], 0, 9, 4), (["maxZoom": 20], 0, 9, 9),
            (["maxZoom": 2], 5, 9, 4), (false, 3, 9, 2), ([:], 4, 4, 3), (["maxZoom": 9], 0, 9, 9),
        ] as [(JSONValue, UInt8, UInt8, Int)] {
            let plan = Self.plan(least, last)
            #expect(
                try plan.clusterMaxZoom(of: Self.layer(clusters)) == deepest,
                "\(clusters.text()) \(least) \(last)")
        }
    }

    @Test func `finer counts are beside clusters, and points are drawn apart, where asked for`()
        throws
    {
        let plan = Self.plan(2, 9) { ($0.heat, $0.spread, $0.buffer) = (true, 30, 5) }
        let extras = plan.extras(of: try Self.layer(["maxZoom": 6]))
        #expect(extras.heatMaxZoom == 6 && extras.maxZoom == 9 && extras.bins == nil)
        let rule = try #require(extras.spread)
        #expect(rule.pixels == 30 && rule.zoom == 9 && rule.buffer == 5)
        #expect(rule.grids.map(\.zoom) == Array(2...9) && rule.pixel == 1 / (512 * 512))
        #expect(plan.extras(of: try Self.layer(false)).heatMaxZoom == nil)
        #expect(plan.extras(of: try Self.layer(["maxZoom": 1])).heatMaxZoom == nil)
        #expect(plan.extras(of: try Self.layer(["maxZoom": 2])).heatMaxZoom == 2)
        let bare = Self.plan(2, 9).extras(of: try Self.layer(["maxZoom": 6]))
        #expect(bare.heatMaxZoom == nil && bare.spread == nil && bare.maxZoom == 9)
    }

    @Test func `bins go as deep as tiles, or as asked for, and leave a zoom to bare points`() throws
    {
        let shape = try #require(
            try Recipe(
                reading: JSONNode([
                    "tiles": ["bins": "square"], "layers": [["name": "a", "sources": ["a.csv"]]],
                ])
            ).tiles.bins)
        for (clusters, asked, last, deepest) in [
            ([:], nil, 9, 9), (false, nil, 9, 8), ([:], 5, 9, 5), (false, 5, 9, 5), ([:], 9, 9, 9),
            (false, 9, 9, 8), ([:], 20, 9, 9), ([:], nil, 24, Bins.deepestZoom),
        ] as [(JSONValue, Int?, UInt8, Int)] {
            let plan = Self.plan(1, last) { ($0.bins, $0.binsMaxZoom) = (shape, asked) }
            let rule = try #require(plan.extras(of: try Self.layer(clusters)).bins)
            #expect(rule.lastZoom == deepest && rule.firstZoom == 1, "\(clusters.text()) \(last)")
            #expect(rule.endsByData == (asked == nil))
            #expect(rule.grids.map(\.zoom) == Array(1...last))
        }
    }

    @Test func `a point takes half of its attributes, and eight bytes`() {
        #expect(ZoomPlan.featureBytes(points: 0, recordBytes: 0) == 8)
        #expect(ZoomPlan.featureBytes(points: 0, recordBytes: 10) == 13)
        #expect(ZoomPlan.featureBytes(points: 4, recordBytes: 100) == 20.5)
    }
}
