import Foundation
import Geometry
import Testing
import TileArchive

/// Processes that are killed while they write: what they leave, and who clears it away.
struct KilledWriterTests {
    let directory = try! TemporaryDirectory()
    var path: String { directory.file("a.mbtiles") }

    /// The archive is whole if it is there, and how many tiles it has.
    private func tileCount() throws -> Int? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        var scan = try Archive(path: path).scan()
        var count = 0
        while try scan.next() != nil { count += 1 }
        return count
    }

    @Test func `a killed writer leaves no archive or a whole one`() async throws {
        for milliseconds: UInt32 in [30, 90, 170, 260, 400, 600] {
            let path = path
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, time = milliseconds as UInt32] in
                try write(to: path, killedAfter: time)
            }
            #expect([nil, 3_000].contains(try tileCount()))
        }
        try SampleTiles(count: 2, seed: 2).write([], to: path, replacing: true)
        #expect(directory.names == ["a.mbtiles"])
        #expect(try tileCount() == 0)
    }

    @Test func `an archive that was there survives a kill untouched`() async throws {
        try SampleTiles(count: 5, seed: 3).write([], to: path)
        let path = path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            var options = SinkOptions()
            options.replacesExisting = true
            let writer = try MBTilesWriter(to: path, options: options)
            for x in UInt32(0)..<5_000 {
                try writer.write(TileID(z: 15, x: x, y: 0), gzip: [1, 2, 3].span)
            }
            kill(getpid(), SIGKILL)
        }
        #expect(directory.names.count == 2)
        #expect(try tileCount() == 0)
    }

    @Test func `only leftovers of the same name and of processes that are gone go`() throws {
        // No process can have this number: the kernel's highest is 2^22.
        let gone = 1 << 30
        let x = "-0123456789abc"
        let kept = [
            ".a.mbtiles.covey-\(getpid())\(x)", ".a.mbtiles.covey-1\(x)", ".a.mbtiles.covey-x\(x)",
            ".a.mbtiles.covey-\(gone)", ".a.mbtiles.covey--\(gone)\(x)", ".a.mbtiles.covey-0\(x)",
            ".b.mbtiles.covey-\(gone)\(x)", "a.mbtiles.covey-\(gone)\(x)",
            // What people may call a file of their own.
            ".a.mbtiles.covey-\(gone)-backup", ".a.mbtiles.covey-\(gone)-0123456789ab%",
        ]
        for name in kept + [
            ".a.mbtiles.covey-\(gone)\(x)", ".a.mbtiles.covey-\(gone)-2y22222222222",
        ] {
            try Data().write(to: URL(filePath: directory.file(name)))
        }
        try SampleTiles(count: 1, seed: 4).write([], to: path)
        #expect(directory.names == (kept + ["a.mbtiles"]).sorted())
    }
}

/// Writes whole archives over and over until it is killed, after so many milliseconds.
private func write(to path: String, killedAfter milliseconds: UInt32) throws {
    Thread.detachNewThread {
        usleep(milliseconds * 1_000)
        kill(getpid(), SIGKILL)
    }
    let sample = SampleTiles(count: 3_000, seed: 1)
    let order = sample.sorted
    while true { try sample.write(order, to: path, replacing: true) }
}
