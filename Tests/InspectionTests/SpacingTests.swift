import ArchiveContract
import TestSupport
import Testing

@testable import Inspection

/// The check of distances between the nodes of a level, against all pairs.
struct SpacingTests {
    private static let extent: Int32 = 4_096

    static func facts(radius: Double, wrap: Bool) -> CoveyFacts {
        var clustering = ClusterDescription.Clustering(
            radius: RadiusByZoom(radius), algorithm: "spaced")
        clustering.wrap = wrap
        let layer = ClusterDescription.Layer(
            name: "l", leaves: 0..<1_000, minZoom: 0, maxZoom: 4, clustering: clustering)
        return CoveyFacts(
            ClusterDescription(layers: [layer], buffer: 8, ids: .counted(base: 32)))
    }

    /// In the order of tiles: by zoom, then by column.
    private func findings(_ nodes: [SpacingCheck.Spaced], _ facts: CoveyFacts) -> [Finding] {
        var check = SpacingCheck(facts)
        var findings = FindingList()
        for node in nodes { check.include([node], &findings) }
        check.finish(&findings)
        return findings.all
    }

    private func node(_ x: Int64, _ y: Int64, zoom: UInt8) -> SpacingCheck.Spaced {
        SpacingCheck.Spaced(
            x: x, y: y, hierarchy: 0, zoom: zoom, column: UInt32(x / Int64(Self.extent)),
            extent: Self.extent)
    }

    private func hasPair(
        _ nodes: [SpacingCheck.Spaced], radius: Double, wrap: Bool
    ) -> Bool {
        for (index, a) in nodes.enumerated() {
            let world = Int64(Self.extent) << Int64(a.zoom)
            let most = min(radius * Double(Self.extent) / 512, Double(world)) - 1.5
            for b in nodes[(index + 1)...] where a.zoom == b.zoom {
                var dx = abs(a.x - b.x)
                // At zoom 0 there is one column, which is not laid out twice.
                if wrap, a.zoom > 0 { dx = min(dx, world - dx) }
                let dy = abs(a.y - b.y)
                if Double(dx * dx + dy * dy) < most * most { return true }
            }
        }
        return false
    }

    @Test(arguments: [true, false])
    func `it finds a pair exactly where there is one`(wrap: Bool) {
        var random = SeededRandom(seed: 51)
        var met = [false: 0, true: 0]
        for _ in 0..<600 {
            let radius = Double(Int.random(in: 8...80, using: &random))
            var nodes: [SpacingCheck.Spaced] = []
            for zoom in UInt8(0)...3 {
                let world = Int64(Self.extent) << Int64(zoom)
                for _ in 0..<Int.random(in: 0...(3 << Int(zoom)), using: &random) {
                    // Often near the antimeridian.
                    var x = Int64.random(in: 0..<world, using: &random)
                    if random.unit() < 0.3 { x = Int64.random(in: 0..<200, using: &random) }
                    if random.unit() < 0.2 { x = world - 1 - x % 200 }
                    nodes.append(
                        node(x, Int64.random(in: 0..<world, using: &random), zoom: zoom))
                }
            }
            nodes.sort { ($0.zoom, $0.column) < ($1.zoom, $1.column) }
            let expected = hasPair(nodes, radius: radius, wrap: wrap)
            let found = findings(nodes, Self.facts(radius: radius, wrap: wrap))
            #expect(found.map(\.code) == (expected ? ["spacing"] : []))
            met[expected, default: 0] += 1
        }
        #expect(met[false]! > 50 && met[true]! > 50)
    }

    @Test(arguments: [(0, true), (1, false), (2, false)])
    func `a pair is too near below the radius less what rounding takes`(
        further: Int64, isFound: Bool
    ) {
        // 40 pixels are 320 units; 318.5 is the least that two rounded positions may be apart.
        let nodes = [node(5_000, 6_000, zoom: 2), node(5_000 + 318 + further, 6_000, zoom: 2)]
        #expect(findings(nodes, Self.facts(radius: 40, wrap: true)).isEmpty == !isFound)
        let upright = [node(5_000, 6_000, zoom: 2), node(5_000, 6_000 + 318 + further, zoom: 2)]
        #expect(findings(upright, Self.facts(radius: 40, wrap: true)).isEmpty == !isFound)
    }

    /// 40.1875 pixels are 321.5 units: 320 is what two rounded positions may be apart, to the unit.
    @Test(arguments: [
        (319, 0, true), (320, 0, false), (0, 319, true), (0, 320, false), (192, 256, false),
        (191, 256, true),
    ])
    func `a pair at the very radius is not too near`(dx: Int64, dy: Int64, isFound: Bool) {
        let nodes = [node(5_000, 6_000, zoom: 2), node(5_000 + dx, 6_000 + dy, zoom: 2)]
        #expect(findings(nodes, Self.facts(radius: 40.1875, wrap: true)).isEmpty == !isFound)
    }

    /// With a radius of more than half a tile a node of the first column is at hand in the second as well.
    @Test func `a node near the west edge is held once against those in the east`() {
        let nodes = [node(2_000, 900, zoom: 1), node(4_700, 900, zoom: 1)]
        #expect(findings(nodes, Self.facts(radius: 312, wrap: true)).isEmpty)
        let near = [node(100, 900, zoom: 1), node(6_000, 900, zoom: 1)]
        #expect(findings(near, Self.facts(radius: 312, wrap: true)).map(\.count) == [1])
        #expect(findings(near, Self.facts(radius: 312, wrap: false)).isEmpty)
    }

    @Test func `it names the tile and the layer`() {
        let nodes = [node(5_000, 9_000, zoom: 2), node(5_010, 9_010, zoom: 2)]
        let found = findings(nodes, Self.facts(radius: 40, wrap: true))
        #expect(found.first?.locations == ["2/1/2 in l"])
        #expect(found.first?.severity == .error)
    }

    @Test func `a column that breaks it is told of once`() {
        var check = SpacingCheck(Self.facts(radius: 60, wrap: false))
        var findings = FindingList()
        let nodes = (0..<Int64(3 * SpacingCheck.many)).map {
            node($0 % 2_048, $0 / 2_048, zoom: 1)
        }
        for start in stride(from: 0, to: nodes.count, by: 1_000) {
            check.include(Array(nodes[start..<min(start + 1_000, nodes.count)]), &findings)
        }
        // The next column keeps it.
        check.include([node(4_900, 7_000, zoom: 1)], &findings)
        check.finish(&findings)
        #expect(findings.all.map(\.count) == [1])
    }

    @Test func `only what promises a spacing is held to it`() throws {
        for (old, new, codes) in [
            (#""wrap":false"#, #""wrap":true"#, ["spacing"]),
            (#""radius":60"#, #""radius":120"#, ["spacing"]),
            (#""radius":60"#, #""radius":{"0":60,"2":120}"#, ["spacing"]),
            (#""radius":60"#, #""radius":{"0":60,"4":900}"#, []),
            (#""algorithm":"spaced""#, #""algorithm":"grid""#, []),
            (#""minPoints":2"#, #""minPoints":3"#, []),
            (#""groups":1"#, #""groups":2"#, []),
            (#""wrap":false"#, #""wrap":true,"keepCoincident":true"#, []),
            (#""wrap":false"#, #""wrap":true,"minUniqueLocations":2"#, []),
        ] {
            let built = try BuiltArchive(.flat)
            // With a radius that nothing keeps, so that a promise shows.
            let wide = codes.isEmpty && !old.contains("radius") && !old.contains("wrap")
            if wide {
                try built.change(
                    "UPDATE metadata SET value = replace(value, '\"radius\":60', "
                        + "'\"radius\":120') WHERE name = 'covey'")
            }
            try built.change(
                "UPDATE metadata SET value = replace(value, '\(old)', '\(new)') "
                    + "WHERE name = 'covey'")
            let found = try built.codes()
            #expect(found == Set(codes), "\(new)")
        }
    }
}
