import Clustering
import Points
import Testing

@testable import Tileset

/// Nodes of a cell, as a job's files hold them.
struct LooseNodeBlockTests {
    private static func nodes(weighted: Bool) -> LooseNodes {
        var nodes = LooseNodes()
        nodes.leafParentZooms = Column([3, -1])
        nodes.firsts = Column([0, 4, 9])
        nodes.leaves = Column([9, 5, 2])
        nodes.zooms = Column([1, 2, 31])
        nodes.parentZooms = Column([-1, 1, 2])
        nodes.xs = Column([0.25, 0.5, 1])
        nodes.ys = Column([0, 0.125, 0.75])
        if weighted { nodes.weights = Column([2.5, 0, 1]) }
        return nodes
    }

    private static func read(_ nodes: LooseNodes) -> LooseNodes? {
        var sink = BlockSink()
        sink.write(nodes)
        var source = BlockSource(sink.bytes)
        let read = try? source.nodes()
        #expect((try? source.byte()) == nil)
        return read
    }

    private static func values(_ nodes: LooseNodes) -> [[Double]] {
        func values<Element: BinaryInteger>(_ column: Column<Element>) -> [Double] {
            (0..<column.count).map { Double(column[$0]) }
        }
        func numbers(_ column: Column<Double>) -> [Double] {
            (0..<column.count).map { column[$0] }
        }
        return [
            values(nodes.leafParentZooms), values(nodes.firsts), values(nodes.leaves),
            values(nodes.zooms), values(nodes.parentZooms), numbers(nodes.xs), numbers(nodes.ys),
            numbers(nodes.weights),
        ]
    }

    @Test(arguments: [false, true])
    func `nodes come back as they were, and are refused where a column is of another length`(
        weighted: Bool
    ) throws {
        let nodes = Self.nodes(weighted: weighted)
        #expect(Self.values(try #require(Self.read(nodes))) == Self.values(nodes))
        let changes: [(inout LooseNodes) -> Void] = [
            { $0.firsts.append(1) }, { $0.leaves.append(1) }, { $0.zooms.append(1) },
            { $0.parentZooms.append(1) }, { $0.xs.append(1) }, { $0.ys.append(1) },
            { $0.weights.append(1) }, { $0.firsts.truncate(to: 2) }, { $0.leaves.truncate(to: 2) },
            { $0.zooms.truncate(to: 2) }, { $0.parentZooms.truncate(to: 2) },
            { $0.xs.truncate(to: 2) }, { $0.ys.truncate(to: 2) },
        ]
        for (index, change) in changes.enumerated() {
            var other = nodes
            change(&other)
            #expect(Self.read(other) == nil, "change \(index)")
        }
        // Leaves are as many as they are.
        var other = nodes
        other.leafParentZooms.append(7)
        #expect(Self.read(other) != nil)
    }
}
