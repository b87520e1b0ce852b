import ArchiveContract
import Geometry
import JSON
import TestSupport
import Testing

struct BinGridTests {
    private static let kinds = [
        Bins(.hexagon), Bins(.hexagon, pixels: 37), Bins(.hexagon, pixels: 256), Bins(.square),
        Bins(.square, pixels: 256), Bins(.square, pixels: 8),
    ]

    @Test(arguments: kinds) func `a position is within the corners of its bin`(bins: Bins) {
        var random = SeededRandom(seed: 11)
        for zoom in [0, 1, 4, 9, 16] {
            let grid = BinGrid(bins, zoom: zoom)
            for _ in 0..<200 {
                let place = WorldPoint(x: random.unit(), y: random.unit())
                let corners = grid.corners(of: grid.bin(at: place))
                let isInside = [-1.0, 0, 1].contains { turn in
                    corners.indices.allSatisfy { index in
                        let (a, b) = (corners[index], corners[(index + 1) % corners.count])
                        let x = place.x + turn
                        // Clockwise on the map; a step of 2^-30 either way.
                        return (b.x - a.x) * (place.y - a.y) - (b.y - a.y) * (x - a.x)
                            >= -max(abs(b.x - a.x), abs(b.y - a.y)) * 0x1p-29
                    }
                }
                #expect(isInside, "\(bins.text) at \(zoom): \(place)")
            }
        }
    }

    @Test(arguments: kinds) func `bins that meet have the same numbers for their corners`(
        bins: Bins
    ) {
        let grid = BinGrid(bins, zoom: 2)
        var corners: [String: Int] = [:]
        for bin in 0..<12 * grid.columns {
            let own = grid.corners(of: bin)
            #expect(Set(own.map { "\($0)" }).count == own.count)
            for corner in own {
                let x = corner.x - corner.x.rounded(.down)
                corners["\(x),\(corner.y)", default: 0] += 1
            }
        }
        // Three hexagons meet at a corner, and four squares; at the first and last rows fewer.
        let whole = bins.shape == .hexagon ? 3 : 4
        let inner = corners.values.count { $0 == whole }
        #expect(corners.values.allSatisfy { $0 <= whole })
        #expect(inner >= Int((bins.shape == .hexagon ? 2 : 1) * 10 * grid.columns))
    }

    @Test func `four squares are one of the zoom before`() {
        var random = SeededRandom(seed: 3)
        let (coarse, fine) = (BinGrid(Bins(.square), zoom: 5), BinGrid(Bins(.square), zoom: 6))
        for _ in 0..<100 {
            let place = WorldPoint(x: random.unit(), y: random.unit())
            let (row, column) = fine.bin(at: place).quotientAndRemainder(dividingBy: fine.columns)
            #expect(coarse.bin(at: place) == row / 2 * coarse.columns + column / 2)
        }
    }

    @Test func `ids are whole numbers in JavaScript, and each bin's own`() {
        var ids: Set<UInt64> = []
        for zoom in 0...2 {
            let grid = BinGrid(Bins(.hexagon), zoom: zoom)
            for bin in 0..<grid.columns * grid.columns { ids.insert(grid.id(of: bin)) }
        }
        #expect(ids.count == 256 + 1_024 + 4_096)
        let deepest = BinGrid(Bins(.hexagon, pixels: 8), zoom: Bins.deepestZoom)
        let last = deepest.bin(at: WorldPoint(x: 0.999_999_9, y: 1))
        #expect(last < 1 << Int64(deepest.bits))
        #expect(deepest.id(of: last) < 1 << 52 && !ids.contains(0))
    }

    @Test func `squares are named as quadbin names them`() {
        // Column 9, row 8 of zoom 4, and the world.
        let grid = BinGrid(Bins(.square, pixels: 256), zoom: 3)
        #expect(grid.quadbin(of: 8 * 16 + 9) == String(5_209_574_053_332_910_079, radix: 16))
        #expect(BinGrid(Bins(.hexagon), zoom: 3).quadbin(of: 5) == nil)
    }

    @Test func `what cannot be bins is refused`() throws {
        #expect(Bins(spelled: "hexagon") == Bins(.hexagon, pixels: 32))
        #expect(Bins(spelled: "hexagon:50")?.text == "hexagon:50")
        for text in ["", "hex", "square:33", "square:4", "hexagon:257", "hexagon:", "square:x:1"] {
            #expect(Bins(spelled: text) == nil, "\(text)")
        }
        var description = ClusterDescription(
            layers: [.init(name: "a", leaves: 0..<3, minZoom: 0, maxZoom: -1, clustering: nil)],
            buffer: 8, ids: .placed)
        description.layers[0].bins = .init(Bins(.square, pixels: 64), maxZoom: 7)
        #expect(try ClusterDescription(description.json) == description)
        for bins: JSONValue in [
            ["shape": "square", "pixels": 33, "maxZoom": 1],
            ["shape": "hexagon", "pixels": 0, "maxZoom": 1],
            ["shape": "hexagon", "pixels": 32, "maxZoom": 17],
            ["shape": "hexagon", "pixels": 32, "maxZoom": -1], 5,
        ] {
            var layers = description.json.asObject?["layers"]?.asArray ?? []
            var layer = layers[0].asObject ?? [:]
            layer["bins"] = bins
            layers[0] = .object(layer)
            var json = description.json.asObject ?? [:]
            json["layers"] = .array(layers)
            #expect(throws: (any Error).self) { try ClusterDescription(.object(json)) }
        }
    }
}
