import Clustering
import TestSupport
import Testing

/// That the options which random tests draw are what they are meant to be: every two values
/// together, and none that contradict each other.
struct OptionMixTests {
    /// Each option's value as a word. `groupBy` stands for an attribute that the points have.
    static func words(for options: ClusterOptions) -> [String] {
        [
            "\(options.algorithm)", "order \(options.order)",
            "radius \(options.radius.stops.map { "\($0.zoom):\($0.pixels)" })",
            "wrap \(options.wrap)", "weighted \(options.weighted)",
            "minPoints \(options.minPoints)", "sites \(options.minUniqueLocations)",
            "\(options.position)", "coincident \(options.keepCoincident)",
            "groupBy \(options.groupBy ?? "-")", "minZoom \(options.minZoom)",
        ]
    }

    /// Whether two values make no sense together.
    static func contradict(_ a: String, _ b: String) -> Bool {
        let manySites = ["sites 2", "sites 3"]
        return [(a, b), (b, a)].contains { first, second in
            switch first {
            case "coincident true": manySites.contains(second)
            case "radius [\"0:0.0\"]": second == "grid" || manySites.contains(second)
            default: false
            }
        }
    }

    @Test func `every two values that agree are drawn together`() {
        var random = SeededRandom(seed: 1)
        let points = Samples.random(40, using: &random)
        var values: [Set<String>] = []
        var pairs: Set<Set<String>> = []
        for _ in 0..<8 * ReferenceTests.cases {
            let words = Self.words(for: ReferenceTests.options(for: points, using: &random))
            if values.isEmpty { values = words.map { _ in [] } }
            for (index, word) in words.enumerated() {
                values[index].insert(word)
                for other in words[..<index] { pairs.insert([word, other]) }
            }
        }
        for index in values.indices {
            #expect(values[index].count > 1)
            for (a, b) in values[..<index].joined().flatMap({ a in values[index].map { (a, $0) } })
            where !Self.contradict(a, b) {
                #expect(pairs.contains([a, b]), "\(a) and \(b)")
            }
        }
    }

    @Test func `contradictions are refused, and nothing else`() {
        var random = SeededRandom(seed: 2)
        var refused = 0
        for _ in 0..<2_000 {
            let options = ReferenceTests.anyOptions(using: &random)
            let words = Self.words(for: options)
            let clashes = words.contains { a in words.contains { Self.contradict(a, $0) } }
            // The cells of a grid nest where the side of one is a whole number of the next.
            let sides = (options.minZoom...options.maxZoom).map(options.radius.distance)
            let isCut = zip(sides, sides.dropFirst()).contains {
                $1 > 0 && ($0 / $1).truncatingRemainder(dividingBy: 1) != 0
            }
            let makesNoSense = clashes || options.algorithm == .grid && isCut
            if makesNoSense { refused += 1 }
            #expect(((try? options.validate()) == nil) == makesNoSense, "\(options)")
        }
        #expect((400..<1_600).contains(refused))
    }
}
