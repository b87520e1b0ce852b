import Geometry
import TestSupport
import Testing

@testable import ArchiveContract

struct DividedOverviewTests {
    /// Large clusters within `blocks`, the outermost first.
    private func large(
        in blocks: Range<Int64>, zoom: UInt8, _ random: inout SeededRandom
    ) -> [LargeCluster] {
        guard blocks.count > 1, zoom < 20 else { return [] }
        var found: [LargeCluster] = []
        var next = blocks.lowerBound
        while next < blocks.upperBound {
            let end = min(next + Int64.random(in: 1...9, using: &random), blocks.upperBound)
            if end - next > 1, Bool.random(using: &random), next..<end != blocks {
                let position = GridPoint(x: .random(in: 0...99, using: &random), y: 3)
                let shift: Int64 = Int.random(in: 0..<9, using: &random) == 0 ? 2 : 0
                found.append(
                    .init(blocks: next..<end, zoom: zoom, position: position, shift: shift))
                found += large(in: next..<end, zoom: zoom + 1, &random)
            }
            next = end
        }
        return found
    }

    private func overview(_ random: inout SeededRandom) -> BlockOverview {
        var overview = BlockOverview()
        for _ in 0..<Int.random(in: 1...60, using: &random) {
            let (west, north) = (
                Int64.random(in: 0..<1 << 30, using: &random),
                Int64.random(in: 0..<1 << 30, using: &random)
            )
            overview.boxes.append(
                GridBox(west: west, north: north, east: west + 9, south: north + 1 << 20))
            overview.counts.append(.random(in: 1...4_000, using: &random))
        }
        let count = Int64(overview.counts.count)
        for page in 0..<Int.random(in: 0...70, using: &random) {
            let blocks = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                Int64.random(in: 0..<count, using: &random)
            }
            overview.pages.append(.init(first: Int64(page * 10 + 10), blocks: blocks))
        }
        if count > 1, Bool.random(using: &random) {
            overview.large = [
                .init(blocks: 0..<count, zoom: 0, position: GridPoint(x: 1, y: 1), shift: 0)
            ]
        }
        overview.large += large(in: 0..<count, zoom: 1, &random)
        return overview
    }

    private func divided(_ overview: BlockOverview, size: Int) throws -> DividedOverview {
        let table = try #require(LeafBlockTable(counts: overview.counts))
        var count: Int64 = 0
        return DividedOverview(overview, in: table, chapterSize: size) { _ in
            count += 13
            return count % 797
        }
    }

    private func said(_ overview: BlockOverview, size: Int) -> ClusterDescription.Blocks {
        .init(
            count: Int64(overview.counts.count), pages: Int64(overview.pages.count),
            chapterSize: Int64(size), hash: "")
    }

    private func read(
        _ divided: DividedOverview, _ said: ClusterDescription.Blocks
    ) throws -> DividedOverview {
        DividedOverview(
            contents: try OverviewContents(unpacking: divided.contents.packed, of: said),
            chapters: try divided.chapters.enumerated().map {
                try OverviewChapter(unpacking: $1.packed, number: Int64($0), of: said)
            })
    }

    @Test func `an overview in chapters is the same`() throws {
        var random = SeededRandom(seed: 81)
        for _ in 0..<300 {
            let overview = overview(&random)
            let size = Int.random(in: 1...20, using: &random)
            let said = said(overview, size: size)
            let divided = try divided(overview, size: size)
            #expect(divided.chapters.count == Int(said.chapters))
            #expect(try read(divided, said) == divided)
            #expect(try divided.whole(chapterSize: size) == overview)
            // Every large cluster is named in the chapter that its id leads to, and listed once.
            #expect(divided.chapters.reduce(0) { $0 + $1.named.count } == overview.large.count)
            #expect(divided.contents.large.reduce(0, +) == Int64(overview.large.count))
            for (number, chapter) in divided.chapters.enumerated() {
                for cluster in chapter.named {
                    #expect((overview.page(of: cluster.id) ?? 0) / size == number)
                }
            }
            let numbers = divided.contents.wide.map { overview.large[Int($0.number)] }
            #expect(numbers == divided.contents.wide.map(\.cluster))
        }
    }

    /// Three blocks and two pages in chapters of two; the outer large cluster lies in both.
    private static let small: BlockOverview = {
        var overview = BlockOverview()
        overview.boxes = [
            GridBox(west: 1, north: 2, east: 3, south: 4),
            GridBox(west: 0, north: 2, east: 5, south: 4),
            GridBox(west: 7, north: 1, east: 8, south: 2),
        ]
        overview.counts = [7, 300, 2]
        overview.pages = [.init(first: 10, blocks: [2, 0]), .init(first: 20, blocks: [1])]
        overview.large = [
            LargeCluster(blocks: 0..<3, zoom: 2, position: GridPoint(x: 6, y: -1), shift: 0),
            LargeCluster(blocks: 0..<2, zoom: 3, position: GridPoint(x: 7, y: 0), shift: 5),
        ]
        return overview
    }()

    @Test func `contents and chapters to the byte`() throws {
        let divided = try divided(Self.small, size: 2)
        let contents: [UInt8] = [
            0xC2, 6, 62, 8, 2,  // field 104, format
            0x12, 8, 0, 4, 10, 8, 14, 1, 6, 3,  // edges
            0x1A, 1, 10, 0x22, 3, 0xB3, 2, 2, 0x2A, 2, 2, 0,  // pages, counts, large
            0x32, 1, 0, 0x3A, 1, 0, 0x42, 1, 3, 0x4A, 1, 2,  // number, begin, length, zoom
            0x52, 1, 12, 0x5A, 1, 1, 0x6A, 1, 0, 0x72, 2, 0xB5, 2,  // x, y, first, leaves
            0x7A, 4, 0, 2, 16, 8,  // its box
        ]
        #expect(divided.contents.packed == [0xC2, 6, UInt8(contents.count - 3)] + contents[3...])
        let chapter: [UInt8] = [
            0xAA, 6, 57, 8, 2,  // field 101, format
            0x12, 8, 2, 4, 6, 8, 1, 0, 4, 0,  // edges
            0x1A, 2, 10, 10, 0x22, 3, 7, 0xAC, 2,  // pages, counts
            0x2A, 2, 2, 1, 0x32, 3, 4, 3, 2,  // blocks of pages
            0x3A, 1, 0, 0x42, 1, 2, 0x4A, 1, 3, 0x52, 1, 14, 0x5A, 1, 0, 0x62, 2, 0, 10,
            0x6A, 2, 13, 13, 0x72, 2, 0, 0,  // names
        ]
        #expect(divided.chapters[0].packed == [0xAA, 6, UInt8(chapter.count - 3)] + chapter[3...])
    }

    @Test func `chapters that do not fit together are refused`() throws {
        func isRefused(_ change: (inout DividedOverview) -> Void) throws -> Bool {
            var divided = try divided(Self.small, size: 2)
            change(&divided)
            let said = said(Self.small, size: 2)
            return (try? read(divided, said).whole(chapterSize: 2)) == nil
        }
        #expect(try !isRefused { _ in })
        #expect(try isRefused { $0.contents.counts[0] += 1 })
        #expect(try isRefused { $0.contents.boxes.removeLast() })
        #expect(try isRefused { $0.contents.large.removeLast() })
        #expect(try isRefused { $0.contents.wide[0].cluster.zoom = 3 })
        #expect(try isRefused { $0.contents.wide[0].cluster.blocks = 0..<4 })
        #expect(try isRefused { $0.contents.wide[0].cluster.blocks = 1..<3 })
        #expect(try isRefused { $0.contents.wide[0].box.east = -1 })
        #expect(try isRefused { $0.chapters[0].overview.counts[1] = 299 })
        #expect(try isRefused { $0.chapters[0].overview.counts = [.max, .max] })
        #expect(try isRefused { $0.chapters.swapAt(0, 1) })
        #expect(try isRefused { $0.chapters[0].overview.pages.removeLast() })
        #expect(try isRefused { $0.chapters[0].overview.pages[0].blocks = [3] })
        #expect(try isRefused { $0.chapters[0].overview.large[0].blocks = 0..<3 })
        #expect(try isRefused { $0.chapters[0].named.append(.init(id: 1, block: 0)) })
    }
}
