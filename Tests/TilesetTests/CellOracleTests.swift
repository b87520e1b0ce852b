import Clustering
import Geometry
import JSON
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// Cut builds against builds in one piece: the same bytes, whatever the points, the options and the cut.
struct CellOracleTests {
    #if DEBUG
        private static let seeds: Range<UInt64> = 0..<6
        private static let cases = 2
    #else
        private static let seeds: Range<UInt64> = 0..<16
        private static let cases = 5
    #endif

    /// Builds whole and cut, compares the archives, and tells what the cells took.
    @discardableResult
    static func compare(
        _ points: [SamplePoint], clusters: JSONObject, tiles: JSONObject, _ cells: CellOptions
    ) throws -> CellFigures {
        let builds = try CellBuildTests.Builds(
            [(points, ["clusters": .object(clusters)])], tiles: .object(tiles))
        let whole = try builds.build("whole.mbtiles")
        let cut = try builds.build("cut.mbtiles", cells)
        let isSame = try builds.areSame("whole.mbtiles", "cut.mbtiles")
        #expect(isSame, "\(clusters), \(tiles), \(cells)")
        #expect(
            whole.layers.map { "\($0.skippedValues)" } == cut.layers.map { "\($0.skippedValues)" })
        return try #require(cut.cells)
    }

    /// Cells of a zoom, and how the cut is made around them.
    static func cells(
        _ zoom: Int, depth: Int, margin: Double?, passLimit: Int = ClusterOptions.usualPassLimit
    ) -> CellOptions {
        var cells = CellOptions()
        cells.zoom = zoom
        cells.cutDepth = depth
        cells.margin = margin
        cells.passLimit = passLimit
        return cells
    }

    static let aggregates = [
        "n=count", "c=count:value", "s=sum:value", "lo=min:value", "hi=max:value", "m=mean:value",
        "v=variance:value", "d=stddev:value", "q=median:value", "p=p90:value", "k=mode:kind",
        "dk=distinct:kind", "h=histogram:kind", "f=first:kind", "t=top:kind", "l=concat:kind",
        "y=any:flag", "z=all:flag", "a=mode:mixed", "b=distinct:mixed", "e=first:mixed",
        "g=top:mixed",
    ]
    /// One that an aggregate does, and others that are evaluated as they are written.
    static let properties: JSONValue = [
        "added": ["+", ["get", "value"]], "product": ["*", ["get", "value"]],
        "joined": ["concat", ["get", "kind"]],
        "kept": [
            ["coalesce", ["accumulated"], ["get", "kept"]],
            ["literal", ["k": [1, .null, true, "x", 0.5], "l": [:]]],
        ],
    ]

    /// Options at random of those that can be cut.
    static func clusters(using random: inout SeededRandom) -> JSONObject {
        func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }
        func one<Value>(of values: [Value]) -> Value { values.randomElement(using: &random)! }
        var clusters: JSONObject = [
            "radius": one(of: [32, 64, 64, 200, ["0": 80, "3": 20]]),
            "algorithm": one(of: ["spaced", "spaced", "greedy", "grid"]),
            "position": one(of: [
                "centroid", "centroid", "anchor", ["max": "value"], ["min": "value"],
            ]),
            "minPoints": .integer(one(of: [2, 2, 2, 3, 5])),
            "minUniqueLocations": .integer(one(of: [1, 1, 1, 2, 3])),
            "keepCoincident": .bool(oneIn(3)), "wrap": .bool(!oneIn(3)),
        ]
        if oneIn(2) { clusters["weight"] = "w" }
        if oneIn(4) { clusters["groupBy"] = "kind" }
        if oneIn(2) { clusters["inherit"] = ["value"] }
        if oneIn(4) { clusters["clusterProperties"] = properties }
        let chosen = aggregates.shuffled(using: &random)
            .prefix(Int.random(in: 0...5, using: &random)).map { $0.split(separator: "=") }
        clusters["aggregates"] = .object(
            JSONObject(chosen.map { .init(key: String($0[0]), value: .string(String($0[1]))) }))
        if chosen.count % 3 == 0 {
            clusters["facets"] = ["kind", "value:10,50", "mixed*kind", "kind=sum:value", "flag"]
        }
        return clusters
    }

    static func sample(
        _ place: WorldPoint, weight: Double, _ number: Int, using random: inout SeededRandom
    ) -> SamplePoint {
        let mixed: [JSONValue] = [0.5, -3, .integer(.max), true, false, "a"]
        var properties: [(String, JSONValue)] = [
            ("w", .number(weight)), ("mixed", mixed[number % 6]),
        ]
        if random.next() % 4 != 0 {
            properties.append(("value", .number(Double(random.next() % 1000) / 7)))
        }
        if random.next() % 4 != 0 {
            properties.append(("kind", ["cafe", "park", 7][Int(random.next() % 3)]))
        }
        if random.next() % 2 == 0 { properties.append(("flag", .bool(number % 3 == 0))) }
        return SamplePoint(place: place.wrapped.lonLat, properties: properties)
    }

    /// Points in a square and in towns in it, some at one site, some in rows along its middle.
    static func spread(
        _ count: Int, around middle: WorldPoint, side: Double, using random: inout SeededRandom
    ) -> [SamplePoint] {
        func anywhere(_ side: Double, _ random: inout SeededRandom) -> WorldPoint {
            WorldPoint(
                x: middle.x + (random.unit() - 0.5) * side,
                y: middle.y + (random.unit() - 0.5) * side)
        }
        let towns = (0..<4).map { _ in anywhere(side, &random) }
        var places: [WorldPoint] = []
        return (0..<count).map { number in
            var place = anywhere(side, &random)
            switch random.next() % 8 {
            case 0:
                let town = towns[Int(random.next() % 4)]
                place.x = town.x + (random.unit() - 0.5) * side / 20
                place.y = town.y + (random.unit() - 0.5) * side / 20
            case 1: place.x = middle.x + (random.unit() - 0.5) * side / 200
            case 2: place.y = middle.y + (random.unit() - 0.5) * side / 200
            default: break
            }
            place.y = min(max(place.y, 0), 1)
            if let twin = places.randomElement(using: &random), random.next() % 12 == 0 {
                place = twin
            }
            places.append(place)
            let weight = [0.5, 1, 1, 2, 30, 1_000][Int(random.next() % 6)]
            return sample(place, weight: weight, number, using: &random)
        }
    }

    @Test(arguments: seeds)
    func `cells that know a part of the world have its bytes`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed &+ 100)
        var (loaded, points, cells) = (0, 0, 0)
        for number in 0..<Self.cases {
            let zoom = Int.random(in: 1...4, using: &random)
            let side = 1 / Double(1 << zoom)
            // A corner of four cells, now and then on the antimeridian or at a pole.
            let middle = WorldPoint(
                x: side * Double(Int.random(in: 0..<1 << zoom, using: &random)),
                y: side * Double(Int.random(in: 0...1 << zoom, using: &random)))
            let sample = Self.spread(
                Int.random(in: 1...300, using: &random), around: middle, side: 3 * side,
                using: &random)
            let deepest = zoom + Int.random(in: 2...4, using: &random)
            var clusters = Self.clusters(using: &random)
            while (try? Recipe(reading: JSONNode(Self.recipe(clusters)))) == nil {
                clusters = Self.clusters(using: &random)
            }
            clusters["maxZoom"] = .integer(Int64(deepest))
            var cut = Self.cells(
                zoom, depth: Int.random(in: 0...3, using: &random),
                margin: [nil, 0, 1, 2, 6, 16].randomElement(using: &random)!,
                passLimit: [1, 3, 6].randomElement(using: &random)!)
            cut.levelZooms = [0, 1, 1, 2][number % 4]
            let figures = try Self.compare(
                sample, clusters: clusters,
                tiles: [
                    "maxZoom": .integer(Int64(deepest + 1)), "minZoom": [0, 0, 1][Int(seed % 3)],
                ],
                cut)
            loaded += figures.loadedPoints
            points += sample.count
            cells += figures.cells
        }
        // Cells know less than the whole world, by far.
        #expect(loaded < points * cells / 2)
    }

    private static func recipe(_ clusters: JSONObject) -> JSONValue {
        ["layers": [["name": "a", "sources": ["a.csv"], "clusters": .object(clusters)]]]
    }

    /// Each depends on the one before it, all the way across the world.
    @Test(arguments: ["spaced", "greedy"], [2, 3])
    func `a chain of nodes that depend on each other is followed to its end`(
        algorithm: String, minPoints: Int
    ) throws {
        let step = 0.9 * 40 / 512 / 64
        var random = SeededRandom(seed: 1)
        let points = (0..<300).map { number in
            Self.sample(
                WorldPoint(x: 0.2 + step * Double(number), y: 0.51),
                weight: 1_000 - Double(number), number, using: &random)
        }
        let figures = try Self.compare(
            points,
            clusters: [
                "radius": 40, "maxZoom": 6, "algorithm": .string(algorithm), "weight": "w",
                "minPoints": .integer(Int64(minPoints)),
            ], tiles: ["maxZoom": 7], Self.cells(3, depth: 2, margin: 3))
        #expect(figures.widened > 0)
        #expect(figures.loadedPoints > 2 * points.count)
    }

    /// Passes at which nodes far away still merge must not make cells unsure of what they have.
    @Test func `more passes than were supposed are noticed`() throws {
        var random = SeededRandom(seed: 3)
        let points = Self.spread(
            600, around: WorldPoint(x: 0.5, y: 0.5), side: 0.2, using: &random)
        let figures = try Self.compare(
            points, clusters: ["radius": 64, "maxZoom": 7], tiles: ["maxZoom": 8],
            Self.cells(3, depth: 2, margin: nil, passLimit: 1))
        #expect(figures.passLimit > 1)
        #expect(figures.rounds > 1)
    }

    /// Far from unknown ground no node may stay uncertain, or cells would be read again for nothing.
    @Test(arguments: ["spaced", "greedy", "grid"])
    func `a wide margin is enough the first time`(algorithm: String) throws {
        var random = SeededRandom(seed: 12)
        let points = Self.spread(
            500, around: WorldPoint(x: 0.5, y: 0.5), side: 0.25, using: &random)
        let figures = try Self.compare(
            points, clusters: ["radius": 32, "maxZoom": 7, "algorithm": .string(algorithm)],
            tiles: ["maxZoom": 8], Self.cells(3, depth: 2, margin: 16))
        #expect(figures.widened == 0)
        #expect(figures.loadedShare < 4)
    }

    @Test func `order of input is refused with the reason`() throws {
        var options = ClusterOptions(radius: 40, maxZoom: 6)
        try options.checkCells()
        options.order = .input
        #expect(throws: ClusteringError.self) { try options.checkCells() }
    }
}
