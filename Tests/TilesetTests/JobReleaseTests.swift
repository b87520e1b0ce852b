import Foundation
import Synchronization
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// What is left of a job when its archive is complete, and what is fetched of one that is far away.
struct JobReleaseTests {
    /// The folders of a job with files in them, when the archive is about to get its name.
    private static func left(
        _ container: any ArchiveContainer.Type, stays: Bool
    ) throws -> (atEnd: Set<String>, behind: Set<String>) {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(60, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        let folder = builds.path("temporary")
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        @Sendable func phases() -> Set<String> {
            let names = ["parts", "points", "cluster", "top", "tiles", "index"]
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
            let folders = paths.map { $0.split(separator: "/").dropLast().last.map(String.init) }
            return Set(folders.compactMap(\.self)).intersection(names)
        }
        let seen = Mutex<Set<String>>([])
        var options = BuildOptions()
        (options.cells.zoom, options.temporaryDirectory) = (1, folder)
        options.cells.folder = stays ? folder + "/job" : nil
        options.willPublish = { _ in
            seen.withLock { $0 = phases() }
            return true
        }
        _ = try TilesetBuild(
            builds.recipe, to: builds.path("a"), in: container, options: options
        ).run()
        // A process in the background removes what is left.
        for _ in 0..<200 where !stays && !phases().isEmpty { usleep(50_000) }
        return (seen.withLock(\.self), phases())
    }

    @Test func `what no later phase reads goes, unless the folder is to stay`() throws {
        let all: Set<String> = ["parts", "points", "cluster", "top", "tiles", "index"]
        for container in [MBTiles.self, PMTiles.self] as [any ArchiveContainer.Type] {
            let (atEnd, behind) = try Self.left(container, stays: true)
            #expect(atEnd == all && behind == all, "\(container)")
        }
        let database = try Self.left(MBTiles.self, stays: false)
        #expect(database.atEnd == ["top", "index"] && database.behind.isEmpty)
        let files = try Self.left(PMTiles.self, stays: false)
        #expect(files.atEnd == ["top", "tiles", "index"] && files.behind.isEmpty)
    }

    @Test func `no byte is fetched twice, and reading fetches all but where parts were asked for`()
        throws
    {
        let asked = Mutex<[RemoteFiles.Piece]>([])
        let remote = RemoteFiles { pieces throws(JobError) in asked.withLock { $0 += pieces } }
        func fetched(_ body: () throws -> Void) throws -> [RemoteFiles.Piece] {
            asked.withLock { $0 = [] }
            try body()
            return asked.withLock(\.self)
        }
        func piece(_ path: String, _ bytes: Range<Int>?) -> RemoteFiles.Piece {
            .init(path: path, bytes: bytes)
        }
        #expect(try fetched { try remote.fetch([piece("a", 10..<20)]) } == [piece("a", 10..<20)])
        #expect(
            try fetched { try remote.fetch([piece("a", 5..<30)]) }
                == [piece("a", 5..<10), piece("a", 20..<30)])
        #expect(try fetched { try remote.fetch([piece("a", 6..<29)]) }.isEmpty)
        // Of a file of which stretches are here a read fetches what it reads; of others all.
        #expect(try fetched { try remote.fetch(25..<40, of: "a") } == [piece("a", 30..<40)])
        #expect(try fetched { try remote.fetch(25..<40, of: "b") } == [piece("b", nil)])
        #expect(try fetched { try remote.fetch(25..<90, of: "b") }.isEmpty)
        #expect(try fetched { try remote.fetch([piece("b", 0..<5), piece("b", nil)]) }.isEmpty)
        #expect(try fetched { try remote.fetch([piece("a", nil)]) } == [piece("a", nil)])
        #expect(try fetched { try remote.fetch([piece("a", 100..<200)]) }.isEmpty)
        // What could not be had is asked for again.
        let failing = RemoteFiles { _ throws(JobError) in throw .cannotRead(path: "p", reason: "r")
        }
        for _ in 0..<2 {
            #expect(throws: JobError.cannotRead(path: "p", reason: "r")) {
                try failing.fetch([piece("a", 1..<2)])
            }
        }
    }
}
