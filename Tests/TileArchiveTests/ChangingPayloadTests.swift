import Geometry
import SQLite
import Testing

@testable import TileArchive

/// The payloads of MBTiles archives that are changed where they lie.
extension ChangingArchiveTests {
    private func rowNumbers() throws -> [Int64] {
        try PayloadNumbers.rows(in: Database(path: path, mode: .readOnly))
    }

    /// The payloads as a reader of archives sees them.
    private func readPayloads() throws -> [[UInt8]] {
        let source = try MBTilesPayloads(
            Database(path: path, mode: .readOnly), hasNumbers: true, fileBytes: 4_096, path: path)
        var found: [[UInt8]] = []
        while let bytes = try source.bytes(ofPayload: Int64(found.count)) { found.append(bytes) }
        #expect(try source.bytes(ofPayload: -1) == nil)
        return found
    }

    @Test func `payloads keep their rows when their numbers change`() throws {
        try write()
        #expect(try rowNumbers() == [0, 1, 2])
        let changing = try #require(try sink().changing(tileBytes: 3))
        try changing.write(payload: [7].span, sum: "")
        #expect(changing.keep(payload: 2))
        #expect(!changing.keep(payload: 2), "it has a number already")
        #expect(!changing.keep(payload: 3), "there is none")
        #expect(changing.keep(payload: 0))
        try changing.write(payload: [2].span, sum: "")
        try changing.finish(ArchiveMetadata(name: "new"))
        #expect(try rowNumbers() == [3, 2, 0, 4])
        #expect(try payloads() == [[7], [2], [0], [2]])
        #expect(try readPayloads() == payloads())
        #expect(try rows("SELECT data FROM covey_payloads WHERE payload = 1").isEmpty)

        let again = try #require(try sink().changing(tileBytes: 3))
        #expect(again.keep(payload: 3))
        try again.finish(ArchiveMetadata(name: "newer"))
        #expect(try rowNumbers() == [4])
        #expect(try rows("SELECT data FROM covey_payloads") == [[2]])
    }

    @Test func `numbers that share a row or leave one out are damage`() throws {
        try write()
        try Database(path: path, mode: .readWrite).execute(
            "DELETE FROM covey_numbers WHERE block = 1")
        #expect(try readPayloads() == [[0]])
        try Database(path: path, mode: .readWrite).execute(
            "INSERT INTO covey_numbers VALUES (1, 0)")
        #expect(
            throws: ArchiveError.damagedClusters(
                path: path, reason: "two payloads are the same row")
        ) { try readPayloads() }
    }

    @Test func `an archive whose payloads have rows by number is written anew`() throws {
        let sink = try MBTiles.sink(to: path, options: SinkOptions())
        try sink.write([tile(1)], gzip: [1].span, ends: [1])
        try sink.write(payload: [1].span, sum: "")
        try sink.finish(ArchiveMetadata(name: "old"))
        #expect(try payloads() == [[1]])
        #expect(try self.sink().changing(tileBytes: 3) == nil)
    }
}
