import Testing

@testable import ArchiveContract

struct BlockOverviewTests {
    /// Three blocks, of which two are a large cluster's, and two pages.
    private static let overview: BlockOverview = {
        var overview = BlockOverview()
        overview.boxes = [
            GridBox(west: 1, north: 2, east: 3, south: 4),
            GridBox(west: 0, north: 2, east: 5, south: 4), .nowhere,
        ]
        overview.counts = [7, 300, 2]
        overview.pages = [
            BlockOverview.Page(first: 10, blocks: [2, 0]),
            BlockOverview.Page(first: 20, blocks: [1]),
        ]
        overview.large = [
            LargeCluster(blocks: 1..<3, zoom: 2, position: GridPoint(x: 6, y: -1), shift: 0),
            LargeCluster(blocks: 1..<2, zoom: 3, position: GridPoint(x: 7, y: 0), shift: 5),
        ]
        return overview
    }()

    private static let said = ClusterDescription.Blocks(count: 3, pages: 2, hash: "")

    @Test func `an overview of other blocks or pages is refused`() {
        for (count, pages) in [(2, 2), (4, 2), (3, 1), (3, 3), (0, 0)] as [(Int64, Int64)] {
            let other = ClusterDescription.Blocks(count: count, pages: pages, hash: "")
            #expect(throws: ClusterBlockError.self) {
                try BlockOverview(unpacking: Self.overview.packed, of: other)
            }
        }
    }

    @Test func `an overview to the byte and back`() throws {
        let expected: [UInt8] = [
            0xAA, 6, 67,  // field 101
            8, 2,  // format
            0x12, 12, 2, 4, 6, 8, 1, 0, 4, 0, 0, 3, 9, 7,  // edges
            0x1A, 2, 10, 10,  // pages
            0x22, 4, 7, 0xAC, 2, 2,  // counts
            0x2A, 2, 2, 1, 0x32, 3, 4, 3, 2,  // blocks of pages
            0x3A, 2, 1, 0, 0x42, 2, 2, 1, 0x4A, 2, 2, 3,  // begins, lengths, zooms
            0x52, 2, 12, 2, 0x5A, 2, 1, 2, 0x62, 2, 2, 10,  // x, y, shifted
        ]
        #expect(Self.overview.packed == [0xAA, 6, UInt8(expected.count - 3)] + expected[3...])
        #expect(try BlockOverview(unpacking: Self.overview.packed, of: Self.said) == Self.overview)
    }

    /// How many blocks each page has, and which these are, stand in two lists; older archives have neither.
    @Test func `lists of pages and their blocks that do not fit are refused`() throws {
        let (listed, blocks): ([UInt8], [UInt8]) = ([0x2A, 2, 2, 1], [0x32, 3, 4, 3, 2])
        let both = Self.overview.packed
        let start = try #require(
            (0..<both.count).first { both[$0...].starts(with: listed + blocks) })
        func read(_ lists: [UInt8]) -> BlockOverview? {
            var bytes = both
            bytes.replaceSubrange(start..<start + 9, with: lists)
            bytes[2] = UInt8(bytes.count - 3)
            return try? BlockOverview(unpacking: bytes, of: Self.said)
        }
        #expect(read(listed + blocks) == Self.overview)
        #expect(read([])?.pages.map(\.blocks) == [[], []])
        #expect(read([0x2A, 2, 0, 0])?.pages.map(\.blocks) == [[], []])
        #expect(read([0x2A, 2, 0, 3] + blocks)?.pages.map(\.blocks) == [[], [2, 0, 1]])
        for lists in [
            blocks, listed, [0x2A, 1, 3] + blocks, [0x2A, 2, 2, 2] + blocks,
            [0x2A, 2, 1, 1] + blocks,
            [0x2A, 2, 4, 0] + blocks, [0x2A, 1, 0],
        ] { #expect(read(lists) == nil, "\(lists)") }
    }

    @Test func `large clusters are rows of whole blocks`() throws {
        let table = try #require(LeafBlockTable(counts: Self.overview.counts))
        let records = Self.overview.records(in: table)
        #expect(records.map(\.leaves) == [7..<309, 7..<307])
        #expect(records.map(\.parent) == [nil, ClusterKey(firstLeaf: 7, zoom: 2)])
        #expect(records.map(\.shift) == [0, 5])
        #expect(Self.overview.large[1].moved(by: 4).blocks == 5..<6)
    }

    @Test func `the overview tells which page has an id`() {
        for (id, page) in [(9, nil), (10, 0), (19, 0), (20, 1), (99, 1)] as [(Int64, Int?)] {
            #expect(Self.overview.page(of: id) == page)
        }
    }

    @Test func `what could mislead is refused`() {
        func isRefused(_ change: (inout BlockOverview) -> Void) -> Bool {
            var overview = Self.overview
            change(&overview)
            return (try? BlockOverview(unpacking: overview.packed, of: Self.said)) == nil
        }
        #expect(!isRefused { _ in })
        #expect(isRefused { $0.boxes[0].east = 0 })
        #expect(isRefused { $0.pages[1].first = 10 })
        #expect(isRefused { $0.pages[0].blocks = [3] })
        #expect(isRefused { $0.pages[0].blocks = [-1] })
        #expect(isRefused { $0.large[0].blocks = 1..<4 })
        #expect(isRefused { $0.large[1].zoom = 2 })
        #expect(isRefused { $0.large.swapAt(0, 1) })
        #expect(isRefused { $0.large[1].blocks = 2..<4 })
    }

    @Test func `outlines come back, and are refused where they do not fit`() throws {
        let outlines = Outlines([
            [GridPoint(x: 1, y: 2), GridPoint(x: 5, y: 2)], [], [GridPoint(x: -3, y: 9)],
        ])
        #expect(
            outlines.packed == [
                0xBA, 6, 15, 8, 2, 0x12, 3, 2, 0, 1, 0x1A, 6, 2, 4, 8, 0, 15, 14,
            ])
        #expect(try Outlines(unpacking: outlines.packed) == outlines)
        var bytes = outlines.packed
        bytes[7] = 3
        #expect(throws: ClusterBlockError.self) { try Outlines(unpacking: bytes) }
    }
}
