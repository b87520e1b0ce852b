import CLibrary
import Clustering
import Expressions
import Geometry
import JSON
import Points
import TestSupport
import Testing

struct DeterminismTests {
    /// Everything that a tree says, row numbers replaced by what the rows hold.
    static func bytes(of tree: ClusterTree, _ points: PointTable) -> [String] {
        var lines: [String] = []
        for leaf in 0..<tree.leafCount {
            let row = Int(tree.leafRows[leaf])
            let position = points.position(of: row)
            lines.append(
                "\(position.x.bitPattern) \(position.y.bitPattern) \(points.ids?[row] ?? 0) "
                    + "\(points.weights?[row] ?? 1) \(record(points.attributes, row)) "
                    + "\(tree.leafParents[leaf]) \(tree.leafParentZooms[leaf])")
        }
        for cluster in 0..<tree.clusterCount {
            lines.append(
                "\(tree.firsts[cluster]) \(tree.zooms[cluster]) \(tree.leaves[cluster]) \(tree.parents[cluster]) "
                    + "\(tree.parentZooms[cluster]) \(tree.xs[cluster].bitPattern) "
                    + "\(tree.ys[cluster].bitPattern) \(tree.weights?[cluster].bitPattern ?? 0) "
                    + record(tree.attributes, cluster))
        }
        return lines
    }

    static func record(_ table: AttributeTable, _ row: Int) -> String {
        var text = ""
        var cursor = table[row].makeCursor()
        while let attribute = cursor.next() {
            text += "\(table.keys.name(of: attribute.key))=\(attribute.value.unpacked);"
        }
        return text
    }

    @Test(arguments: 0..<4)
    func `any permutation of the input gives the same tree`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<20 {
            let points = Samples.random(Int.random(in: 1...80, using: &random), using: &random)
            var options = ReferenceTests.options(for: points, using: &random)
            options.order = .stable
            options.aggregates = try [
                "s=sum:value", "m=mean:value", "k=mode:kind", "h=histogram:kind",
                "f=first:kind", "c=concat:kind", "d=stddev:value",
            ].map { try Aggregate(parsing: $0) }
            options.inherit = ["value"]
            let table = Samples.table(points)
            let shuffled = Samples.table(points.shuffled(using: &random))
            let tree = try ClusterTree(of: table, options: options)
            let other = try ClusterTree(of: shuffled, options: options)
            #expect(
                Self.bytes(of: tree, table) == Self.bytes(of: other, shuffled), "\(options)")
            #expect(other.groups == tree.groups && other.skippedValues == tree.skippedValues)
        }
    }

    /// Whether two trees say the same, whatever the numbers of rows and of attributes' names.
    static func areAlike(
        _ a: ClusterTree, _ points: PointTable, _ b: ClusterTree, _ others: PointTable
    ) -> Bool {
        func same<T: Equatable>(_ first: Column<T>, _ second: Column<T>) -> Bool {
            first.count == second.count && (0..<first.count).allSatisfy { first[$0] == second[$0] }
        }
        guard
            same(a.leafParents, b.leafParents), same(a.leafParentZooms, b.leafParentZooms),
            same(a.firsts, b.firsts), same(a.leaves, b.leaves), same(a.zooms, b.zooms),
            same(a.parents, b.parents), same(a.parentZooms, b.parentZooms),
            same(a.xs, b.xs), same(a.ys, b.ys), a.weights?.count == b.weights?.count,
            same(a.weights ?? Column(), b.weights ?? Column())
        else { return false }
        return (0..<a.leafCount).allSatisfy { leaf in
            let (row, other) = (Int(a.leafRows[leaf]), Int(b.leafRows[leaf]))
            return points.position(of: row) == others.position(of: other)
                && points.weights?[row] == others.weights?[other]
                && points.ids?[row] == others.ids?[other]
        }
            && (0..<a.clusterCount).allSatisfy {
                record(a.attributes, $0) == record(b.attributes, $0)
            }
    }

    static func areEqual(_ a: ClusterTree, _ b: ClusterTree) -> Bool {
        func same<T: Equatable>(_ first: Column<T>, _ second: Column<T>) -> Bool {
            first.span.withUnsafeBytes { first in
                second.span.withUnsafeBytes { second in
                    first.count == second.count
                        && (first.isEmpty
                            || memcmp(first.baseAddress!, second.baseAddress!, first.count) == 0)
                }
            }
        }
        func same(_ first: AttributeTable, _ second: AttributeTable) -> Bool {
            first.count == second.count
                && (0..<first.count).allSatisfy { row in
                    let (a, b) = (first[row].bytes, second[row].bytes)
                    return a.count == b.count
                        && a.withUnsafeBytes { a in
                            b.withUnsafeBytes { b in
                                a.isEmpty || memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0
                            }
                        }
                }
        }
        return same(a.leafRows, b.leafRows) && same(a.leafParents, b.leafParents)
            && same(a.leafParentZooms, b.leafParentZooms) && same(a.firsts, b.firsts)
            && same(a.leaves, b.leaves) && same(a.zooms, b.zooms) && same(a.parents, b.parents)
            && same(a.parentZooms, b.parentZooms) && same(a.xs, b.xs) && same(a.ys, b.ys)
            && same(a.weights ?? Column(), b.weights ?? Column())
            && a.groups == b.groups && a.skippedValues == b.skippedValues
            && same(a.attributes, b.attributes)
    }

    /// So many points that threads share the work, and cells that lie across where it is cut.
    @Test(arguments: [UInt64(1), 2])
    func `cells of a grid are whole, however many threads look at them`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let points = Samples.table(
            (0..<60_000).map { _ in
                .init(position: WorldPoint(x: random.unit(), y: random.unit() * 0.02 + 0.4))
            })
        var trees: [[String]] = []
        for threads in [1, 2, 7] {
            var options = ClusterOptions()
            options.algorithm = .grid
            options.maxZoom = 6
            let tree = try ClusterTree(of: points, options: options, threads: threads)
            trees.append(Self.bytes(of: tree, points))
        }
        #expect(trees[0] == trees[1] && trees[0] == trees[2])
    }
}
