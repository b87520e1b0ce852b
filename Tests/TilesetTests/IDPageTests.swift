import ArchiveContract
import Clustering
import Foundation
import Geometry
import Points
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// The pages of the ids of a job's clusters, cell by cell, out of the files of its tiles.
struct IDPageTests {
    /// Ids in places around some towns, ascending.
    private static func ids(_ count: Int, layers: Int, _ random: inout SeededRandom) -> [Int64] {
        let bits = UInt64(2 * NameGrid.finestBits)
        let towns = (0..<5).map { _ in random.next() % (1 << bits) }
        var ids: Set<Int64> = []
        for number in 0..<count {
            let town = towns[number % 5]
            let place = (town + random.next() % (1 << UInt64(number % Int(bits)))) % (1 << bits)
            ids.insert(
                PlaceID(
                    layer: Int(random.next() % UInt64(layers)), place: place,
                    zoom: Int(random.next() % 16)
                ).number)
        }
        return ids.sorted()
    }

    private typealias Page = [(id: Int64, target: Int64)]

    private static func pages(of ids: [Int64]) -> [Page] {
        var (pager, pages): (IDPager, [Page]) = (IDPager(), [])
        for id in ids { pages += pager.add(id, target: id / 3) }
        return pages + pager.finish()
    }

    @Test(arguments: 0..<12)
    func `squares with pages of their own leave the others as they are`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed + 40)
        let ids = Self.ids(60_000, layers: 2, &random)
        let zoom = UInt64(1 + seed % 4)
        // Squares of one zoom, layer by layer.
        let shift = 2 * (UInt64(NameGrid.finestBits) - zoom) + 5
        var (pager, pages, passed): (IDPager, [Page], Int) = (IDPager(), [], 0)
        var start = 0
        while start < ids.count {
            let end = (start..<ids.count).first { ids[$0] >> shift != ids[start] >> shift }
            let own = Array(ids[start..<(end ?? ids.count)])
            start += own.count
            if own.count > IDPage.size {
                pages += pager.pass(squareOf: own[own.count / 2])
                pages += Self.pages(of: own)
                passed += 1
            } else {
                for id in own { pages += pager.add(id, target: id / 3) }
            }
        }
        pages += pager.finish()
        let whole = Self.pages(of: ids)
        #expect(pages.map { $0.map(\.id) } == whole.map { $0.map(\.id) })
        #expect(pages.map { $0.map(\.target) } == whole.map { $0.map(\.target) })
        #expect(passed > 0 && pages.count > 15)
    }

    /// A job of one layer in four cells, with its tiles.
    private static func job() throws -> (builds: CellBuildTests.Builds, cells: CellBuild) {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(60, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        return (builds, try builds.tiled(zoom: 1, levelZooms: 0))
    }

    /// Gives a part of the tiles other ids: each of a cluster at a node.
    private static func write(
        _ ids: [(id: Int64, root: UInt32)], part: Int, of job: CellJob
    ) throws {
        var sorted = SortedIDs()
        for (id, root) in ids {
            sorted.ids.append(id)
            sorted.roots.append(root)
            sorted.offsets.append(0)
        }
        var writer = try TilePartWriter(IndexPlan.path(ofPart: part, job), job)
        try writer.finish(DrawnBoxes(), leftOut: [:], [sorted], inputs: nil)
    }

    private static func merge(_ cells: CellBuild, _ builds: CellBuildTests.Builds) throws {
        try? FileManager.default.removeItem(atPath: cells.job.files.folder("index"))
        _ = try cells.merge(
            to: builds.path("\(UUID().uuidString).pmtiles"), in: PMTiles.self)
    }

    private static func id(_ place: UInt64) -> Int64 {
        PlaceID(layer: 0, place: place, zoom: 2).number
    }

    @Test func `one at a node that its square did not hand up is refused by the file's name`()
        throws
    {
        let (builds, cells) = try Self.job()
        let roots = UInt32(try CellNumbers(of: 0, cells.job).firstLeaves[0].count)
        #expect(roots > 0)
        for (part, root, isRefused) in [
            (1, roots - 1, false), (1, roots, true), (1, roots + 5, true), (1, 0, false),
            (0, 0, false), (0, 1, true),
        ] {
            try Self.write([(Self.id(1 << 40), root)], part: part, of: cells.job)
            let result = Result { try Self.merge(cells, builds) }
            if isRefused {
                let path = IndexPlan.path(ofPart: part, cells.job)
                #expect(throws: JobError.damaged(path: path)) { try result.get() }
                try Self.write([(Self.id(1 << 40), 0)], part: part, of: cells.job)
            } else {
                try result.get()
            }
            try Self.write([], part: part, of: cells.job)
        }
    }

    @Test func `two clusters of one id do not add up`() throws {
        let (builds, cells) = try Self.job()
        let (one, other) = (Self.id(7), Self.id(9))
        for (ids, elsewhere, isRefused) in [
            ([one, other], [], false), ([one, one], [], true),
            // In two files as well as in one.
            ([one, other], [other], true), ([one], [other], false),
        ] as [([Int64], [Int64], Bool)] {
            try Self.write(ids.map { ($0, 0) }, part: 0, of: cells.job)
            try Self.write(elsewhere.map { ($0, 0) }, part: 2, of: cells.job)
            let result = Result { try Self.merge(cells, builds) }
            if isRefused {
                let id = elsewhere.first ?? one
                #expect(throws: JobError.doesNotAddUp("two clusters have the id \(id)")) {
                    try result.get()
                }
            } else {
                try result.get()
            }
        }
    }

    /// A town in each of four cells: thousands of clusters in the first, and few in the others.
    @Test func `pages of cells that see no change are taken over`() throws {
        var living = try LivingJob(["clusters": ["radius": 40]], zoom: 1)
        living.cells.leavesInTask = 1_000
        var random = SeededRandom(seed: 5)
        living.points = (0..<4).flatMap { town in
            (0..<(town == 0 ? 7_000 : 2_500)).flatMap { _ in
                let place = WorldPoint(
                    x: 0.2 + 0.5 * Double(town % 2) + 0.1 * random.unit(),
                    y: 0.2 + 0.5 * Double(town / 2) + 0.1 * random.unit())
                // Two so near that they are one from the last zoom but one on.
                return [place, WorldPoint(x: place.x + 4e-4, y: place.y)].map {
                    SamplePoint(place: $0.lonLat)
                }
            }
        }
        _ = try living.build()
        let before = try living.inodes()
        living.points[20_000] = living.points[20_001]
        _ = try living.build()
        let after = try living.inodes()
        let pages = after.keys.filter { $0.hasPrefix("index/pages-") }.sorted()
        #expect(pages == ["0-0", "0-1", "1-0", "1-1"].map { "index/pages-0-1-\($0)" })
        let same = pages.filter { before[$0] == after[$0] }
        #expect(same.contains(pages[0]) && same.count < 4, "\(same)")
        let folder = try CellBuildTests.files(of: living.builds.path("job"))
        #expect(try living.size("\(folder)/\(pages[0])") > 10_000)
    }

    @Test func `ids that cannot be are refused`() throws {
        let (builds, cells) = try Self.job()
        defer { extendLifetime(builds) }
        let job = cells.job
        // The number of ids; for each its distance from the one before, its root and its offset.
        for (numbers, isRead) in [
            ([2, 5, 1, 3, 1, 0, 4], true), ([3, 5, 1, 3, 1, 0, 4], false),
            ([2, 5, 1 << 32, 3, 1, 0, 4], false), ([2, 5, 1, 1 << 48, 1, 0, 4], false),
            ([2, 5, 1, 3, Int.max, 0, 4], false),
        ] {
            var sink = BlockSink()
            for number in numbers { sink.write(varint: number) }
            let path = job.files.index(.leaves(7))
            try job.files.makeFolder("index")
            var writer = try job.write(path)
            let start = writer.size
            try writer.append(sink.bytes)
            try writer.finish()
            let reader = try job.read(path).reader
            let read = Result { try SortedIDs(in: reader, at: start) }
            switch read {
            case .success(var ids):
                #expect(isRead && ids.bytes == sink.bytes && ids.least == 5)
                #expect(ids.take() == (5, 1, 3) && ids.take() == (6, 0, 4) && ids.least == nil)
            case .failure(let error):
                #expect(!isRead && error as? JobError == .damaged(path: path))
            }
        }
    }
}
