import ArchiveContract
import Compression
import Geometry
import SQLite
import Testing
import TileArchive

/// Payloads that are missing or others than they should be: each is told by what it is.
struct PayloadFaultTests {
    let directory = try! TemporaryDirectory()

    /// An archive with several blocks, pages and an outline, and its clusters.
    private func archive() throws -> (path: String, clusters: [ClusterRecord]) {
        let path = directory.file("a.mbtiles")
        let layout = Int64(25)
        let sample = SampleHierarchy(leafCount: 600, seed: 5)
        return (path, try sample.write(to: path, in: layout))
    }

    private func change(_ path: String, _ sql: String) throws {
        try Database(path: path, mode: .readWriteCreate).execute(sql)
    }

    /// Why the clusters are damaged, if that is what is said.
    private func reason(_ ask: () throws -> Void) -> String? {
        do {
            try ask()
            return nil
        } catch ArchiveError.damagedClusters(_, let reason) {
            return reason
        } catch {
            return "\(error)"
        }
    }

    @Test func `an overview that is missing, no payload, or another payload`() throws {
        let (path, _) = try archive()
        let blocks = try #require(try Archive(path: path).description?.get().blocks)
        let own = "block = \(blocks.overview)"
        for (sql, words) in [
            (
                "UPDATE covey_blocks SET data = x'1f8b08' WHERE \(own)",
                "the header of the payload is not valid"
            ),
            (
                "UPDATE covey_blocks SET data = (SELECT data FROM covey_blocks WHERE block = 0) "
                    + "WHERE \(own)", "it is missing"
            ),
            ("DELETE FROM covey_blocks WHERE \(own)", "the overview of blocks"),
        ] {
            try change(path, sql)
            let reason = reason { _ = try Archive(path: path).openClusters() }
            #expect(reason?.contains(words) == true, "\(sql): \(reason ?? "")")
        }
    }

    @Test func `a block that is missing, or stands in the place of another`() throws {
        let (path, clusters) = try archive()
        var index = try Archive(path: path).openClusters()
        let small = try #require(clusters.last { $0.leafCount <= 25 })
        let (id, number) = (
            index.description.id(of: small), index.table.block(ofLeaf: small.key.firstLeaf)
        )
        #expect(try index.cluster(id) == small)
        try change(
            path,
            "UPDATE covey_blocks SET data = (SELECT data FROM covey_blocks WHERE block = 0) "
                + "WHERE block = \(number)")
        index = try Archive(path: path).openClusters()
        #expect(reason { _ = try index.cluster(id) } != nil)
        try change(path, "DELETE FROM covey_blocks WHERE block = \(number)")
        index = try Archive(path: path).openClusters()
        #expect(reason { _ = try index.cluster(id) } == "block \(number) is missing")
        #expect(throws: ArchiveError.unknownLeafBlock(path: path, block: number)) {
            try index.leafBlock(number, limit: 100)
        }
        let findings = try Archive(path: path).audit().damage
        #expect(findings.count == 1 && findings[0].contains("the blocks are not those"))
    }

    @Test func `a page of ids that is missing or another one`() throws {
        let (path, clusters) = try archive()
        let blocks = try #require(try Archive(path: path).description?.get().blocks)
        #expect(blocks.pages == 1 && blocks.outlines == 1)
        let small = try #require(clusters.first { $0.leafCount <= 25 })
        let large = try #require(clusters.first { $0.leafCount > 25 })
        for data in ["x'00'", "(SELECT data FROM covey_blocks WHERE block = 0)"] {
            try change(
                path, "UPDATE covey_blocks SET data = \(data) WHERE block = \(blocks.count)")
            var index = try Archive(path: path).openClusters()
            let id = index.description.id(of: small)
            #expect(reason { _ = try index.cluster(id) }?.contains("the ids from ") == true)
            // Large clusters are in no page.
            #expect(try index.cluster(index.description.id(of: large)) == large)
            let ids = try Archive(path: path).scanIDs()
            #expect(reason { _ = try ids.next() }?.contains("the ids from ") == true)
        }
    }

    @Test func `outlines that are missing or too few`() throws {
        let (path, clusters) = try archive()
        let blocks = try #require(try Archive(path: path).description?.get().blocks)
        let large = try #require(clusters.last { $0.leafCount > 25 })
        var gzip = GzipCompressor(level: 1)
        let one = ClusterPayload.member(holding: Outlines([[]]).packed, with: &gzip)
        let number = blocks.overview - 1
        do {
            let database = try Database(path: path, mode: .readWriteCreate)
            var update = try database.prepare(
                "UPDATE covey_blocks SET data = ?1 WHERE block = \(number)")
            try update.run(binding: one.span, at: 1)
        }
        var index = try Archive(path: path).openClusters()
        #expect(reason { _ = try index.outline(of: large.key) }?.contains("too few hulls") == true)
        try change(path, "DELETE FROM covey_blocks WHERE block = \(number)")
        index = try Archive(path: path).openClusters()
        #expect(reason { _ = try index.outline(of: large.key) }?.contains("is missing") == true)
        let small = try #require(clusters.first { $0.leafCount <= 25 })
        #expect(try index.outline(of: small.key) == nil)
    }

    private final class Discarding: PayloadSink {
        func write(payload: Span<UInt8>, sum: String) {}
    }

    @Test func `an overview that readers would refuse is not written`() throws {
        for (pages, isWritten) in [(200, true), (1_000, false)] {
            var writer = ClusterWriter(Discarding())
            for page in 0..<pages {
                // Each step between two blocks takes six bytes.
                let blocks = (0..<4_000).map { Int64($0 % 2) << 38 }
                try writer.write(
                    EncodedPage([0], told: .init(first: Int64(page + 1), blocks: blocks), sum: ""))
            }
            do {
                let written = try writer.finish([]) { _ in 0 }
                #expect(isWritten && written.pages == pages)
            } catch {
                #expect(!isWritten && error == .tooManyPayloads(pages))
            }
        }
    }

    @Test func `only an overview of many pages has chapters`() throws {
        for (pages, size, chapters) in [(8, 1, 0), (9, 1, 9), (16, 2, 0), (17, 2, 9)] {
            var writer = ClusterWriter(Discarding(), chapterSize: size)
            for page in 0..<pages {
                try writer.write(
                    EncodedPage([0], told: .init(first: Int64(page + 1), blocks: []), sum: ""))
            }
            let blocks = try writer.finish([]) { _ in 0 }
            #expect(blocks.chapters == chapters && blocks.overview == pages + chapters)
        }
    }
}
