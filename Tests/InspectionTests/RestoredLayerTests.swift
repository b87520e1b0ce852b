import ArchiveContract
import Clustering
import Geometry
import Points
import Recipes
import TestSupport
import Testing

@testable import Inspection

/// What a deep look knows of clusters by their points, held against a plain reading of it.
struct RestoredLayerTests {
    private typealias Place = (x: Int32, y: Int32)
    private static let steps = Int32(GridPoint.steps)

    /// A column of a world that wraps.
    private static func turned(_ x: Int32) -> Int32 { (x &+ steps) & (steps - 1) }

    /// A layer of clusters that hold so many points each, one after another, and lie where it is said.
    private static func layer(
        _ points: [[Place]], at places: [GridPoint] = [],
        position: ClusterOptions.Position? = nil, weights: [[Double?]] = []
    ) throws -> RestoredLayer {
        var table = PointTable()
        let key = table.attributes.keys.intern("w")
        var batch = PointBatch()
        var records: [ClusterRecord] = []
        for (index, members) in points.enumerated() {
            records.append(
                ClusterRecord(
                    key: .init(firstLeaf: Int64(100 + table.count + batch.count), zoom: 3),
                    leafCount: Int64(members.count),
                    position: places.isEmpty ? GridPoint(x: 0, y: 0) : places[index], parent: nil))
            for (member, point) in members.enumerated() {
                if !weights.isEmpty, let weight = weights[index][member] {
                    batch.records.append(key, number: weight)
                }
                batch.append(
                    WorldPoint(
                        x: Double(point.x) / GridPoint.steps, y: Double(point.y) / GridPoint.steps))
            }
        }
        table.append(batch)
        var recipe = Recipe.Layer(name: "a", sources: [])
        recipe.clusters?.weight = weights.isEmpty ? nil : "w"
        if let position { recipe.clusters?.options.position = position }
        let described = ClusterDescription.Layer(
            name: "a", leaves: 100..<Int64(100 + table.count), minZoom: 0, maxZoom: 3,
            clustering: nil)
        return try #require(
            try RestoredLayer(
                described, position == nil && weights.isEmpty ? nil : recipe, points: table,
                clusters: records, ids: records.indices.map { Int64($0 * 10 + 7) }, threads: 1))
    }

    @Test func `points are at one place where all lie within a step of the first`() throws {
        var random = SeededRandom(seed: 51)
        func offset() -> Int32 { Int32(random.next() % 10) / 4 * (random.next() % 2 == 0 ? 1 : -1) }
        let firsts: [Place] = [(0, 5), (Self.steps - 1, 9), (70, 70), (1, 2)]
        let points = (0..<200).map { number -> [Place] in
            let first = firsts[number % 4]
            return [first]
                + (0..<Int(1 + random.next() % 3)).map { _ in
                    (Self.turned(first.x + offset()), first.y + offset())
                }
        }
        let layer = try Self.layer(points)
        var found = [false: 0, true: 0]
        for (cluster, members) in points.enumerated() {
            let isOne = members.allSatisfy { point in
                let dx = abs(point.x - members[0].x)
                return min(dx, Self.steps - dx) <= 1 && abs(point.y - members[0].y) <= 1
            }
            #expect(layer.isOneSite(cluster) == isOne)
            #expect(layer.cluster(Int64(cluster * 10 + 7)) == cluster)
            found[isOne, default: 0] += 1
        }
        #expect(found.values.allSatisfy { $0 > 40 } && layer.cluster(8) == nil)
    }

    @Test func `a cluster weighs what its points do, and a point that does not say it weighs one`()
        throws
    {
        var random = SeededRandom(seed: 52)
        let weights = (0..<40).map { _ in
            (0..<Int(2 + random.next() % 4)).map { _ in
                random.next() % 3 == 0 ? nil : Double(random.next() % 90) / 4
            }
        }
        let points = weights.map { $0.map { _ in (x: Int32(random.next() % 99), y: Int32(3)) } }
        let layer = try Self.layer(points, weights: weights)
        var leaf = 0
        for (cluster, members) in weights.enumerated() {
            #expect(layer.weight(of: cluster) == members.reduce(0) { $0 + ($1 ?? 1) })
            for member in members {
                #expect(layer.weight(ofPoint: leaf) == member ?? 1)
                leaf += 1
            }
        }
        let all = weights.joined().reduce(0) { $0 + ($1 ?? 1) }
        #expect(layer.weightSlack == all * 1e-9)
        let plain = try Self.layer(points)
        #expect(plain.weight(of: 0) == nil && plain.weight(ofPoint: 3) == 1)
        #expect(plain.weightSlack == 0)
    }

    /// What is said of clusters that lie there.
    private static func faults(
        _ points: [[Place]], at places: [GridPoint],
        _ position: ClusterOptions.Position?, weights: [[Double?]] = []
    ) throws -> [String] {
        var findings = FindingList()
        try PositionCheck(layer: layer(points, at: places, position: position, weights: weights))
            .check(&findings)
        return findings.all.flatMap { finding in
            finding.locations.map { "\(finding.code) \($0): \(finding.message)" }
        }
    }

    private static let amongText = "moved cluster 7: a cluster does not lie among its points"
    private static let meanText = "moved cluster 7: a cluster is not at the mean of its points"
    private static let pointText = "moved cluster 7: a cluster is not at one of its points"

    @Test(
        arguments: [(0, 0), (0, 1 << 29), (1 << 29, 0), (1 << 30 - 1_000, 3)] as [(Int32, Int32)])
    func `a cluster lies within two steps of the box around its points`(x: Int32, y: Int32) throws {
        let points: [Place] = [(x, y), (Self.turned(x + 2_000), y + 500)]
        for (dx, dy, isAmong) in [
            (0, 0, true), (2_000, 500, true), (-2, 0, true), (-3, 0, false), (2_002, 0, true),
            (2_003, 0, false), (0, -2, true), (0, -3, false), (0, 502, true), (0, 503, false),
        ] as [(Int32, Int32, Bool)] {
            let place = GridPoint(x: Self.turned(x + dx), y: y + dy)
            let faults = try Self.faults([points], at: [place], nil)
            #expect(faults == (isAmong ? [] : [Self.amongText]), "\(dx) \(dy)")
        }
    }

    @Test(
        arguments: [0, 1 << 29, 1 << 30 - 1_000] as [Int32], [[1, 1, 1], [1, 0, 3], [nil, 2, 5]])
    func `a cluster at the mean may be off by four steps, also over the antimeridian`(
        x: Int32, weights: [Double?]
    ) throws {
        let y: Int32 = 300_000_000
        let offsets: [(Int32, Int32)] = [(0, 0), (1_500, 100), (3_000, 800)]
        let points: [Place] = offsets.map { (Self.turned(x + $0.0), y + $0.1) }
        let total = weights.reduce(0) { $0 + ($1 ?? 1) }
        func mean(_ part: ((Int32, Int32)) -> Int32) -> Int32 {
            let sum = zip(offsets, weights).reduce(0) { $0 + Double(part($1.0)) * ($1.1 ?? 1) }
            return Int32(sum / total)
        }
        for (dx, dy, isRight) in [
            (0, 0, true), (3, 3, true), (-3, -3, true), (6, 0, false), (-6, 0, false),
            (0, 6, false), (0, -6, false),
        ] as [(Int32, Int32, Bool)] {
            let place = GridPoint(
                x: Self.turned(x + mean(\.0) + dx), y: y + mean(\.1) + dy)
            let faults = try Self.faults([points], at: [place], .centroid, weights: [weights])
            #expect(faults == (isRight ? [] : [Self.meanText]), "\(dx) \(dy)")
        }
    }

    @Test func `over half the world a mean may lie on any way around it, and in one row`() throws {
        let points = [(0, 1_000), (350_000_000, 1_000), (700_000_000, 1_000)] as [Place]
        for x in [5, 300_000_000, 699_999_999] as [Int32] {
            let there = GridPoint(x: x, y: 1_000)
            #expect(try Self.faults([points], at: [there], .centroid) == [])
        }
        let rows = [(0, 1_000), (350_000_000, 1_000), (700_000_000, 2_000)] as [Place]
        let row = GridPoint(x: 5, y: 1_900)
        #expect(try Self.faults([rows], at: [row], .centroid) == [Self.meanText])
        // What weighs nothing has no mean.
        let place = GridPoint(x: 5, y: 1_000)
        #expect(
            try Self.faults([points], at: [place], .centroid, weights: [[0, 0, 0]]) == [])
    }

    @Test(arguments: [ClusterOptions.Position.anchor, .nearest, .max("n"), .min("n")])
    func `a cluster at a point is within a step of one of its own`(
        position: ClusterOptions.Position
    ) throws {
        let points = [(0, 0), (900, 900), (Self.steps - 1, 400)] as [Place]
        let others = [(500, 500), (510, 510)] as [Place]
        for (x, y, isRight) in [
            (0, 0, true), (1, 1, true), (2, 0, false), (0, 2, false), (900, 901, true),
            (899, 900, true), (898, 900, false), (500, 500, false), (0, 400, true),
            (Self.steps - 2, 400, true), (1, 400, false),
        ] as [(Int32, Int32, Bool)] {
            let places = [GridPoint(x: x, y: y), GridPoint(x: 510, y: 510)]
            let faults = try Self.faults([points, others], at: places, position)
            #expect(faults == (isRight ? [] : [Self.pointText]), "\(x) \(y)")
        }
    }
}
