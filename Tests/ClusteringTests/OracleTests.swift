import Clustering
import Foundation
import Geometry
import Points
import Testing

/// Supercluster's own answers, computed in double precision.
struct OracleTests {
    struct Case: CustomTestStringConvertible {
        var file: String
        var input: String
        var radius: Double
        var maxZoom: Int
        var minPoints = 2
        var testDescription: String { file }
    }

    static let cases = [
        Case(file: "places-r40-z16", input: "places", radius: 40, maxZoom: 16),
        Case(file: "places-r40-z16-min5", input: "places", radius: 40, maxZoom: 16, minPoints: 5),
        Case(file: "ports-r50-z14", input: "ports", radius: 50, maxZoom: 14),
        Case(file: "synth-5k-r60-z12", input: "synth-5k", radius: 60, maxZoom: 12),
        Case(
            file: "synth-5k-r60-z12-min4", input: "synth-5k", radius: 60, maxZoom: 12, minPoints: 4),
    ]

    @Test(arguments: cases)
    func `every node of every zoom equals Supercluster's`(oracle: Case) throws {
        let points = try Self.points(oracle.input)
        var options = ClusterOptions(radius: Radius(oracle.radius), maxZoom: oracle.maxZoom)
        options.algorithm = .greedy
        options.order = .input
        options.wrap = false
        options.minPoints = oracle.minPoints
        options.aggregates = try Self.operations.map { try Aggregate(parsing: "\($0)=\($0):value") }
        let tree = try ClusterTree(of: points, options: options)
        let rows = try Self.lines(oracle.file).dropFirst()
        var expected = rows.map { $0.split(separator: ",", omittingEmptySubsequences: false) }[...]
        for zoom in 0...oracle.maxZoom {
            let nodes = Self.summaries(of: tree, points, zoom)
            let wanted = expected.prefix { Int($0[0]) == zoom }
            expected = expected.dropFirst(wanted.count)
            try #require(nodes.count == wanted.count)
            for (node, row) in zip(nodes, wanted) {
                let exact = [row[1], row[2], row[3], row[6]].map { Int($0) ?? -1 }
                #expect(node.exact == exact)
                #expect(node.aggregates == row.dropFirst(7).compactMap { Double($0) })
                #expect(abs(node.position.x - (Double(row[4]) ?? .nan)) <= 1e-12)
                #expect(abs(node.position.y - (Double(row[5]) ?? .nan)) <= 1e-12)
            }
        }
        // The level below is that of the points themselves.
        #expect(expected.allSatisfy { Int($0[0]) == oracle.maxZoom + 1 })
    }

    static let operations = ["sum", "min", "max"]

    struct Summary {
        /// First member, count, sum of the members, expansion zoom.
        var exact: [Int]
        var position: WorldPoint
        /// Sum, minimum and maximum, where there is something to aggregate.
        var aggregates: [Double]
    }

    static func summaries(of tree: ClusterTree, _ points: PointTable, _ zoom: Int) -> [Summary] {
        let nodes = tree.nodes(at: zoom).map { node in
            switch node {
            case .leaf(let leaf): summary(ofRow: Int(tree.leafRows[leaf]), points)
            case .cluster(let cluster): summary(ofCluster: cluster, tree)
            }
        }
        return nodes.sorted { $0.exact[0] < $1.exact[0] }
    }

    private static func summary(ofRow row: Int, _ points: PointTable) -> Summary {
        let value = points.attributes.value(of: "value", row: row)?.asNumber
        return Summary(
            exact: [row, 1, row, -1], position: points.position(of: row),
            aggregates: value.map { [$0, $0, $0] } ?? [])
    }

    private static func summary(ofCluster cluster: Int, _ tree: ClusterTree) -> Summary {
        let members = tree.leafRange(of: cluster).map { Int(tree.leafRows[$0]) }
        return Summary(
            exact: [
                members.min() ?? -1, members.count, members.reduce(0, +),
                Int(tree.zooms[cluster]) + 1,
            ], position: WorldPoint(x: tree.xs[cluster], y: tree.ys[cluster]),
            aggregates: operations.compactMap {
                tree.attributes.value(of: $0, row: cluster)?.asNumber
            })
    }

    static func lines(_ name: String) throws -> [Substring] {
        let url = try #require(
            Bundle.module.url(
                forResource: name, withExtension: "csv", subdirectory: "Resources"))
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    }

    static func points(_ name: String) throws -> PointTable {
        let points = try lines(name).map { line in
            let fields = line.split(separator: ",").map { Double($0) ?? .nan }
            var point = Samples.Point(
                position: WorldPoint(LonLat(longitude: fields[0], latitude: fields[1])))
            if fields.count > 2 { point.attributes = [("value", .init(canonical: fields[2]))] }
            return point
        }
        return Samples.table(points)
    }
}
