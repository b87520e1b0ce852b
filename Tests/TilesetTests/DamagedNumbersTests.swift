import Geometry
import Points
import Testing

@testable import Tileset

/// Blocks of a job's files whose bytes are whole, but whose columns do not belong together.
struct DamagedNumbersTests {
    /// Whether a block is read to its end; that it is damaged is the only way out.
    private static func reads(
        _ write: (inout BlockSink) -> Void,
        _ read: (inout BlockSource) throws -> Void
    ) -> Bool {
        var sink = BlockSink()
        write(&sink)
        var source = BlockSource(sink.bytes)
        do {
            try read(&source)
        } catch {
            #expect(error is BlockSource.Damaged)
            return false
        }
        return (try? source.byte()) == nil
    }

    @Test(
        arguments: [
            ([0, 1, 0], [2, 2, 1], true), ([], [], true), ([0], [1], false),
            ([0, 1, 0], [2, 2], false), ([0, 1], [2, 2, 1], false), ([0], [], false),
            ([0, 2, 0], [2, 2, 1], false), ([0, 1, 0], [2, 2, 0], false),
        ] as [([UInt32], [UInt32], Bool)])
    func `of points that share a place none has a number past their count`(
        ordinals: [UInt32], counts: [UInt32], isRead: Bool
    ) {
        let shares = CoincidentLeaves(ordinals: Column(ordinals), counts: Column(counts))
        #expect(Self.reads({ $0.write(shares) }) { _ = try $0.shares(3) } == isRead)
    }

    @Test(arguments: [
        (8, 2, true), (8, 0, true), (0, 2, true), (0, 0, true), (4, 2, false), (12, 2, false),
        (8, 1, false), (8, 3, false), (3, 0, true),
    ])
    func `there is a box and a site for each cluster, or none`(
        edges: Int, sites: Int, isRead: Bool
    ) {
        var traits = ClusterTraits()
        traits.boxes = Column(repeating: 0.5, count: edges)
        traits.sites = Column(repeating: 1, count: sites)
        #expect(Self.reads({ $0.write(traits) }) { _ = try $0.clusterTraits(2) } == isRead)
    }

    /// Two clusters over three leaves.
    private static func nodes() -> CellNodes {
        let keys = AttributeKeys()
        var nodes = CellNodes(keys: keys)
        nodes.nodes.leafParentZooms = Column([1, 1, 2])
        nodes.nodes.firsts = Column([0, 1])
        nodes.nodes.leaves = Column([3, 2])
        nodes.nodes.zooms = Column([1, 2])
        nodes.nodes.parentZooms = Column([-1, 1])
        nodes.nodes.xs = Column([0.5, 0.5])
        nodes.nodes.ys = Column([0.5, 0.5])
        nodes.ids = Column([7, 8])
        var batch = PointBatch()
        for _ in 0..<3 { batch.append(WorldPoint(x: 0.5, y: 0.5)) }
        nodes.points.append(batch)
        for _ in 0..<2 { nodes.records.append([], ends: [0].span) }
        return nodes
    }

    @Test func `nodes have as many zooms as leaves, and as many ids and records as clusters`() {
        let keys = StoredKeys([], in: AttributeKeys())
        let changes: [(change: (inout CellNodes) -> Void, isRead: Bool)] = [
            ({ _ in }, true), ({ $0.ids = Column() }, true), ({ $0.ids = Column([7]) }, false),
            ({ $0.ids.append(9) }, false), ({ $0.nodes.leafParentZooms.append(1) }, false),
            ({ $0.nodes.leafParentZooms.truncate(to: 2) }, false),
            ({ $0.records.append([], ends: [0].span) }, false),
            ({ $0.records.truncate(to: 1) }, false),
            ({ $0.traits.sites = Column([1, 0]) }, true),
            ({ $0.traits.sites = Column([1]) }, false),
            ({ $0.shares.append(single: 3) }, true), ({ $0.shares.append(single: 2) }, false),
        ]
        for (index, (change, isRead)) in changes.enumerated() {
            var nodes = Self.nodes()
            change(&nodes)
            let wasRead = Self.reads({ $0.write(nodes) }) { _ = try $0.cellNodes(keys) }
            #expect(wasRead == isRead, "\(index)")
        }
    }

    @Test func `what is kept by zoom is read back, whichever zooms there are`() throws {
        var covering = VariableDepth.Covering()
        covering.tiles = [3: [5, 60], 7: [], 4: [255]]
        var sink = BlockSink()
        sink.write(covering)
        var source = BlockSource(sink.bytes)
        #expect(try VariableDepth.Covering(from: &source).tiles == covering.tiles)
    }

    @Test func `a record is read if it is whole and its numbers fit`() {
        struct Sample: BlockRecord, Equatable {
            var zoom: UInt8
            var place: Int32?
            var ranges: [String: Range<Int>]

            static var layout: BlockLayout<Self> {
                .init(Self.init, \.zoom, \.place, \.ranges) { $0.zoom < 9 }
            }
        }
        for (zoom, place, range, isRead) in [
            (8, nil, (0, 5), true), (8, -1 << 31, (5, 5), true), (9, nil, (0, 5), false),
            (0, 1 << 31, (0, 5), false), (0, nil, (5, 4), false), (0, nil, (-1, 4), false),
        ] as [(UInt8, Int?, (Int, Int), Bool)] {
            let wasRead = Self.reads({ sink in
                sink.write(zoom, place)
                sink.write(["a", "b"]) { $0.write($1, range.0, range.1) }
            }) {
                let sample = try Sample(from: &$0)
                let expected = range.0..<range.1
                #expect(sample.ranges == ["a": expected, "b": expected])
                #expect(sample.zoom == zoom && sample.place.map { Int($0) } == place)
                var again = BlockSink()
                again.write(sample)
                var source = BlockSource(again.bytes)
                #expect(try Sample(from: &source) == sample)
                var cut = BlockSource(Array(again.bytes.dropLast()))
                #expect(throws: BlockSource.Damaged.self) { try Sample(from: &cut) }
            }
            #expect(wasRead == isRead, "\(zoom) \(range)")
        }
    }

    @Test func `blocks of a part have a stretch, a place and a count each, and a sum or none`()
        throws
    {
        let blocks = [(3, 9, 100, 5), (9, 9, 200, 7)].map { first, last, offset, count in
            PartBlock(
                stretch: UInt64(first)...UInt64(last), offset: offset, count: count,
                sum: UInt64(count) * 11)
        }
        var sink = BlockSink()
        sink.write(blocks)
        var source = BlockSource(sink.bytes)
        let read = try source.partBlocks()
        #expect(read.map(\.stretch) == [3...9, 9...9] && read.map(\.offset) == [100, 200])
        #expect(read.map(\.sum) == [55, 77] && read.pointCount == 12)
        for (lengths, firsts, isRead) in [
            ([2, 2, 2, 2, 2], [3, 9], true), ([2, 2, 2, 2, 0], [3, 9], true),
            ([2, 2, 2, 2, 1], [3, 9], false), ([1, 2, 2, 2, 2], [3, 9], false),
            ([2, 1, 2, 2, 2], [3, 9], false), ([2, 2, 1, 2, 2], [3, 9], false),
            ([2, 2, 2, 1, 2], [3, 9], false), ([2, 2, 2, 2, 2], [3, 10], false),
        ] {
            let columns = [firsts, [9, 9], [100, 200], [5, 7], [1, 2]]
            let wasRead = Self.reads({ sink in
                for (column, length) in zip(columns, lengths) {
                    sink.write(Column(column.prefix(length)))
                }
            }) { _ = try $0.partBlocks() }
            #expect(wasRead == isRead, "\(lengths) \(firsts)")
        }
    }

    @Test func `values and attributes that nothing writes are refused`() {
        func statistics(_ sink: inout BlockSink, kind: UInt8, _ value: (inout BlockSink) -> Void) {
            // The last of them says that no more values are counted.
            for number in [0, 1, 2, 3, 0] { sink.write(number) }
            for number in [0.5, 1.5] { sink.write(number) }
            sink.write(Column<UInt64>([1]))
            sink.write([kind]) { sink, kind in
                sink.write(byte: kind)
                value(&sink)
            }
        }
        for kind in UInt8(0)...7 {
            let isRead = Self.reads({ sink in
                statistics(&sink, kind: kind) { sink in
                    if kind == 0 { sink.write("a") } else if kind < 4 { sink.write(5) }
                    if kind == 4 { sink.write(byte: 1) }
                }
            }) { _ = try FieldStatistics(from: &$0) }
            #expect(isRead == (kind < 5), "\(kind)")
        }
        for (name, isRead) in [("point_count", true), ("point_counts", false)] {
            let keys = StoredKeys([], in: AttributeKeys())
            let wasRead = Self.reads({ sink in
                sink.write(2)
                sink.write([Int]()) { _, _ in }
                sink.write([name]) { sink, name in
                    sink.write(name)
                    statistics(&sink, kind: 4) { $0.write(byte: 0) }
                }
            }) { _ = try LayerStatistics(name: "a", &$0, keys) }
            #expect(wasRead == isRead, "\(name)")
        }
    }
}
