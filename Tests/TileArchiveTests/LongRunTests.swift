import ArchiveContract
import Compression
import Foundation
import Geometry
import Testing

@testable import TileArchive

/// Runs of tiles that an entry of a directory has no room for, and bytes that come in any order.
struct LongRunTests {
    let directory = try! TemporaryDirectory()

    private static let most = Int(UInt32.max)

    /// Writes a content, so many more tiles that have it, and says what the directory has of them.
    private func entries(
        _ lengths: [Int], thenOne: Bool = false
    ) throws -> (header: PMTilesHeader, runs: [PMTilesDirectory.Entry], nextID: UInt64) {
        var writer = try PMTilesWriter(
            path: directory.file("a.pmtiles"), replacesExisting: true, sharesContents: true)
        let bytes: [UInt8] = [7, 8, 9]
        try writer.write(bytes.span, id: 5, zoom: 17)
        for count in lengths { writer.lengthenLastRun(by: count) }
        if thenOne { try writer.write(bytes.span, id: writer.nextID, zoom: 17) }
        let next = writer.nextID
        try writer.finish(metadata: Array("{}".utf8)) { _ in }
        try writer.output.appear()
        let file = try Data(contentsOf: URL(filePath: directory.file("a.pmtiles")))
        let header = try PMTilesHeader(Array(file.prefix(127)))
        let root = file[Int(header.root.offset)..<Int(header.root.offset + header.root.length)]
        return (header, try PMTilesDirectory.unpacked(Array(root)), next)
    }

    @Test func `a run goes on in a second entry where the first is full`() throws {
        for (lengths, runs) in [
            ([], [1]), ([1], [2]), ([3, 4], [8]), ([Self.most - 1], [Self.most]),
            ([Self.most], [Self.most, 1]), ([Self.most + 6], [Self.most, 7]),
            ([9, Self.most + 6], [Self.most, 16]), ([Self.most - 1, 1], [Self.most, 1]),
        ] {
            let (header, entries, next) = try entries(lengths)
            #expect(entries.map { Int($0.run) } == runs, "\(lengths)")
            // One behind another, and all of the same bytes.
            #expect(entries.map(\.id) == (runs.count == 1 ? [5] : [5, 5 + UInt64(Self.most)]))
            #expect(entries.allSatisfy { $0.offset == 0 && $0.length == 3 })
            let count = UInt64(runs.reduce(0, +))
            #expect(header.addressedTiles == count && header.entries == runs.count)
            #expect(header.contents == 1 && header.tiles.length == 3 && next == 5 + count)
            #expect(header.minZoom == 17 && header.maxZoom == 17)
        }
    }

    @Test func `a tile behind a full run begins another`() throws {
        #expect(try entries([Self.most - 1], thenOne: true).runs.map(\.run) == [.max, 1])
        #expect(try entries([Self.most - 2], thenOne: true).runs.map(\.run) == [.max])
    }

    @Test func `what is laid stands where it was laid, in the tiles and beside them`() throws {
        let path = directory.file("laid.pmtiles")
        let sink = try PMTiles.sink(to: path, options: SinkOptions())
        let laid = try #require(sink as? any LaidArchive)
        for (text, offset, file) in [
            ("tail", 6, 0), ("clust", 1, 1), ("a head", 0, 0), ("-", 0, 1),
        ] {
            let bytes = Array(text.utf8)
            try laid.write(bytes.span, at: offset, ofFile: file)
        }
        try laid.finish()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "a headtail")
        let beside = directory.file("laid.clusters.pmtiles")
        #expect(try String(contentsOfFile: beside, encoding: .utf8) == "-clust")
    }
}

extension PMTilesDirectory {
    fileprivate static func unpacked(_ packed: [UInt8]) throws -> [Entry] {
        var inflater = GzipInflater()
        let bytes = try inflater.inflate(packed.span, limit: 1 << 20)
        return try PMTilesDirectory(bytes.span).entries
    }
}
