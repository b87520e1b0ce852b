import Compression
import Foundation
import Geometry
import Platform
import TestSupport
import Testing

@testable import TileArchive

/// Archives on the web, read by ranges, from servers that do as they should and from others.
@Suite(.enabled(if: runsTests(needing: WebServer.isAvailable), "python3 and curl are needed"))
struct RemoteArchiveTests {
    let directory = try! TemporaryDirectory()
    private static let last = UInt64(340)

    /// An archive of some pieces of 64 KiB, for its tiles are noise.
    private func write(to name: String, seed: UInt64 = 1) throws -> [UInt64: [UInt8]] {
        var random = SeededRandom(seed: seed)
        var gzip = GzipCompressor(level: 1)
        var tiles: [UInt64: [UInt8]] = [:]
        let sink = try PMTiles.sink(to: directory.file(name), options: SinkOptions())
        for id in 0...Self.last {
            let noise = (0..<900).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            let bytes = gzip.compress(noise.span)
            try sink.write(
                [try #require(TileID(hilbertID: id))], gzip: bytes.span, ends: [bytes.count])
            tiles[id] = bytes
        }
        try sink.finish(ArchiveMetadata(name: "web"))
        return tiles
    }

    private func tile(_ id: UInt64, _ reader: inout TileLookup) throws -> [UInt8]? {
        try reader.tile(at: try #require(TileID(hilbertID: id)))
    }

    @Test(arguments: ["sound", "moved5", "weak"])
    func `an archive is read by its ranges, and what was read is kept`(way: String) throws {
        let tiles = try write(to: "a.pmtiles")
        let server = try WebServer("range_server.py", [directory.path])
        let archive = try Archive(path: server.url("\(way)/a.pmtiles"))
        #expect(archive.metadata.name == "web" && !archive.isStale)
        var reader = try archive.openTiles()
        for (id, bytes) in tiles { #expect(try tile(id, &reader) == bytes) }
        #expect(try tile(Self.last + 1, &reader) == nil)
        // What was fetched is not asked for again.
        server.end()
        for (id, bytes) in tiles { #expect(try tile(id, &reader) == bytes) }
        #expect(!archive.isStale)
    }

    /// 512 pieces of 64 KiB are kept; of one more than that the eighth goes that was read longest ago.
    @Test func `of what was fetched that goes first which was not read for longest`() throws {
        let path = directory.file("large")
        try Data().write(to: URL(filePath: path))
        #expect(truncate(path, 513 << 16) == 0)
        let server = try WebServer("range_server.py", [directory.path])
        let source = try RemoteSource(server.url("sound/large"))
        func isKept(_ piece: Int) -> Bool {
            (try? source.bytes(piece << 16..<(piece + 1) << 16)) != nil
        }
        #expect(try source.bytes(0..<512 << 16).count == 512 << 16)
        // All but 70 to 133 are read once more.
        for piece in 0..<512 where !(70..<134).contains(piece) { #expect(isKept(piece)) }
        #expect(isKept(512))
        server.end()
        #expect((0..<513).filter { !isKept($0) } == Array(70..<134))
    }

    @Test(arguments: ["changing", "growing"])
    func `an archive that is replaced while it is read says so`(way: String) throws {
        let tiles = try write(to: "a.pmtiles")
        let server = try WebServer("range_server.py", [directory.path])
        let archive = try Archive(path: server.url("\(way)/a.pmtiles"))
        var reader = try archive.openTiles()
        var errors: [ArchiveError] = []
        // Once it is known, every tile would be asked for in vain.
        for id in tiles.keys.sorted() where errors.count < 3 {
            do { _ = try tile(id, &reader) } catch let error as ArchiveError {
                errors.append(error)
            }
        }
        #expect(errors.first?.description.contains("replaced while it was being read") == true)
        #expect(archive.isStale)
    }

    @Test(arguments: [
        ("moved6", "edirects"), ("whole", "does not give ranges of files"),
        ("shifted", "another range"),
        ("shorter", "another range"), ("longer", "more than it was asked for"),
    ])
    func `a server that answers otherwise is named with what it did`(
        way: String, words: String
    ) throws {
        _ = try write(to: "a.pmtiles")
        let server = try WebServer("range_server.py", [directory.path])
        let error = #expect(throws: ArchiveError.self) {
            _ = try Archive(path: server.url("\(way)/a.pmtiles"))
        }
        #expect(error?.description.contains(words) == true, "\(String(describing: error))")
    }

    @Test func `a password in an address is not shown`() throws {
        _ = try write(to: "a.pmtiles")
        let server = try WebServer("range_server.py", [directory.path])
        let address = server.url("changing/a.pmtiles").replacing("//", with: "//user:secret@")
        let source = try RemoteSource(address)
        #expect(source.path == WebTransfer.shown(address) && source.path.contains("user:…@"))
        let error = #expect(throws: ArchiveError.self) {
            _ = try Archive(path: "http://user:secret@127.0.0.1:1/a.pmtiles")
        }
        #expect(error?.description.hasPrefix("http://user:…@127.0.0.1:1/a.pmtiles: ") == true)
    }

    @Test func `what is not there, or no address, is said`() throws {
        let server = try WebServer("range_server.py", [directory.path])
        for (address, words) in [
            (server.url("sound/none.pmtiles"), "answered 404"),
            ("http://127.0.0.1:1/a.pmtiles", "127.0.0.1"),
            ("http://127.0.0.1/a b.pmtiles", "it is not a URL of http or https"),
        ] {
            let error = #expect(throws: ArchiveError.self) { _ = try Archive(path: address) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
    }
}
