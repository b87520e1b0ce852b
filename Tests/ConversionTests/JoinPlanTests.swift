import ArchiveContract
import TestSupport
import Testing
import TileArchive

@testable import Conversion

/// Where leaves and ids of several archives come to lie, held against a count of them.
struct JoinPlanTests {
    private typealias Told = ToldArchive

    /// Archives of a few layers each, some of which share names, and some without clusters.
    private static func archives(using random: inout SeededRandom) -> [Archive] {
        (0..<Int.random(in: 1...4, using: &random)).map { number in
            var next: Int64 = 0
            let names = ["p", "q", "r", "s"].shuffled(using: &random).prefix(1 + number % 3)
            let layers = names.map { name in
                let start = next
                next += Int64.random(in: 0...50, using: &random)
                return Told.layer(name, leaves: start..<next)
            }
            return Told.archive("\(number)", layers, hasClusters: random.next() % 5 != 0)
        }
    }

    @Test(arguments: UInt64(0)..<40)
    func `layers of one name follow one another, and leaves without a gap`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let archives = Self.archives(using: &random)
        let plan = JoinPlan(archives)
        var all: [(source: Int, number: Int, layer: ClusterDescription.Layer)] = []
        for (source, archive) in archives.enumerated() where archive.hasClusters {
            let layers = try #require(archive.description).get().layers
            all += layers.enumerated().map { (source, $0, $1) }
        }
        var names: [String] = []
        for each in all where !names.contains(each.layer.name) { names.append(each.layer.name) }
        let wanted = names.flatMap { name in all.filter { $0.layer.name == name } }
        try #require(plan.units.count == wanted.count)
        var next: Int64 = 0
        for (index, (unit, each)) in zip(plan.units, wanted).enumerated() {
            #expect(unit.source == each.source && unit.number == each.number)
            #expect(unit.layer == each.layer && unit.leaves.lowerBound == next)
            #expect(unit.leaves.count == each.layer.leaves.count)
            #expect(unit.shift == next - each.layer.leaves.lowerBound)
            next = unit.leaves.upperBound
            let id = PlaceID(layer: each.number, place: 77, zoom: 3).number
            #expect(unit.holds(id) && !unit.holds(7))
            #expect(unit.idShift + id == PlaceID(layer: index, place: 77, zoom: 3).number)
            #expect(!unit.holds(PlaceID(layer: each.number + 1, place: 77, zoom: 3).number))
        }
        #expect(
            plan.description?.layers.map(\.name)
                == (wanted.isEmpty ? nil : wanted.map(\.layer.name)))
        #expect(
            plan.description?.layers.map(\.leaves)
                == (wanted.isEmpty ? nil : plan.units.map(\.leaves)))
        for source in archives.indices {
            let own = plan.units.indices.filter { plan.units[$0].source == source }
            #expect(plan.keepsIDs(of: source) == own.allSatisfy { plan.units[$0].number == $0 })
        }
    }

    @Test func `ids move in the layer and the archive that they are of, and others are not known`()
    {
        let plan = JoinPlan([
            Told.archive("a", [Told.layer("p"), Told.layer("q", leaves: 10..<20)]),
            Told.archive("b", [Told.layer("q")]), Told.archive("c", [Told.layer("p")]),
        ])
        #expect(plan.units.map(\.layer.name) == ["p", "p", "q", "q"])
        #expect(plan.units.map(\.source) == [0, 2, 0, 1])
        func id(_ layer: Int) -> Int64 { PlaceID(layer: layer, place: 5, zoom: 2).number }
        for (name, source, old, new) in [
            ("p", 0, id(0), id(0)), ("p", 0, id(1), nil), ("p", 2, id(0), id(1)),
            ("q", 0, id(1), id(2)), ("q", 0, id(0), nil), ("q", 1, id(0), id(3)),
            ("p", 1, id(0), nil), ("x", 0, id(0), nil), ("p", 0, 12, nil),
        ] as [(String, Int, Int64, Int64?)] {
            #expect(plan.change(ofIDsIn: name, of: source)(old) == new, "\(name) \(source)")
        }
        #expect([0, 1, 2].map { plan.keepsIDs(of: $0) } == [false, false, false])
        #expect(plan.keepsIDs(of: 3))
    }

    @Test func `an extent that all have is that of all`() {
        func extent(_ extents: [Int64?]) -> Int64?? {
            JoinPlan(
                extents.enumerated().map { number, extent in
                    Told.archive("\(number)", [Told.layer("l\(number)")]) { told, _ in
                        told.extent = extent
                        told.buffer = 8 + Double(number)
                    }
                }
            ).description.map(\.extent)
        }
        #expect(extent([512, 512]) == .some(512) && extent([512, 1_024]) == .some(nil))
        #expect(extent([nil, nil]) == .some(nil) && extent([nil, 512]) == .some(512))
        #expect(extent([]) == nil)
    }

    @Test func `parents are named where clusters carry their ids, and no value is called so`() {
        for (carries, groupBy, isSaid) in [
            (["parent"], nil, true), (["parent", "n"], "n", true), (["n"], nil, false),
            (nil, nil, false), (["parent"], "parent", false),
        ] as [([String]?, String?, Bool)] {
            let plan = JoinPlan([
                Told.archive("a", [Told.layer("o")]),
                Told.archive(
                    "b",
                    [
                        Told.layer("p") {
                            $0.carries = carries
                            $0.clustering?.groupBy = groupBy
                        }
                    ]),
            ])
            #expect(plan.saysParent("p") == isSaid && !plan.saysParent("o"))
        }
    }
}
