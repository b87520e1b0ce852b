import Compression
import Foundation
import Inspection
import MessageTiles
import SQLite
import Testing
import VectorTile

/// What a path is taken for.
final class SubjectTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "covey-subject-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func path(of bytes: [UInt8]) throws -> String {
        let url = folder.appending(path: UUID().uuidString)
        try Data(bytes).write(to: url)
        return url.path
    }

    static let files: [([UInt8], ForeignFile)] = [
        (Array(#"  {"type":"FeatureCollection"}"#.utf8), .geoJSON),
        (Array("[1,2]".utf8), .geoJSON),
        (Array("lon,lat\n1,2\n".utf8), .csv),
        (Array("\u{FEFF}lon;lat\r\n1;2".utf8), .csv),
        (Array("\n\nlon\tlat\n".utf8), .csv),
        (Array("\(String(repeating: "a", count: 500)),b\nc,d".utf8), .csv),
        (Array("<?xml version=\"1.0\"?><gpx/>".utf8), .xml),
        (Array("fgb\u{3}fgb\u{0}".utf8), .flatGeobuf),
        ([0x89, 0x50, 0x4E, 0x47, 13, 10], .png),
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        (Array("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ".utf8), .webP),
        (Array("PK\u{3}\u{4}".utf8), .zip),
        (Array("no archive at all\na,b".utf8), .text),
    ]

    @Test(arguments: files)
    func `a file of another kind is told by its name, gzip or not`(
        bytes: [UInt8], file: ForeignFile
    ) throws {
        var gzip = GzipCompressor(level: 6)
        for stored in [bytes, gzip.compress(bytes.span)] {
            let path = try path(of: stored)
            #expect(throws: InspectionError.foreign(path: path, file)) { try Subject(path: path) }
        }
    }

    @Test func `an archive of PMTiles is read as it is, and named when it was packed`() throws {
        let head = Array("PMTiles\u{3}".utf8)
        let plain = try path(of: head)
        let error = #expect(throws: InspectionError.self) { try Subject(path: plain) }
        #expect("\(error, default: "")".hasSuffix("cut short; copy or build it again"))
        var gzip = GzipCompressor(level: 6)
        let packed = try path(of: gzip.compress(head.span))
        #expect(throws: InspectionError.foreign(path: packed, .packedPMTiles)) {
            try Subject(path: packed)
        }
    }

    @Test func `a text has no other control characters in its first kibibyte`() throws {
        for (place, isText) in [(0, false), (1, false), (1_023, false), (1_024, true)] {
            var bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_030)
            bytes[place] = 1
            let path = try path(of: bytes)
            if isText {
                #expect(throws: InspectionError.foreign(path: path, .geoJSON)) {
                    try Subject(path: path)
                }
            } else {
                guard case .tile = try Subject(path: path) else {
                    Issue.record("it may be a tile")
                    continue
                }
            }
        }
    }

    @Test func `what may be a tile is taken for one`() throws {
        let tile = MessageTiles.Tile(layers: [.init(name: "l")]).packed()
        // Text up to a control character.
        for bytes in [tile, Array("abc,".utf8) + [0x1A] + tile, [0x7F] + Array("abc".utf8)] {
            guard case .tile(let loose) = try Subject(path: path(of: bytes)) else {
                Issue.record("it is a tile")
                continue
            }
            #expect(loose.stored == bytes)
        }
    }

    // As a shell hands over what `<(command)` writes.
    @Test func `a tile from a pipe is whole`() throws {
        let pipe = Pipe()
        let tile = MessageTiles.Tile(layers: [.init(name: "l")]).packed()
        try pipe.fileHandleForWriting.write(contentsOf: tile)
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        guard case .tile(let loose) = try Subject(path: path) else {
            Issue.record("it is a tile")
            return
        }
        #expect(loose.stored == tile)
    }

    @Test func `an empty file is neither archive nor tile`() throws {
        let path = try path(of: [])
        #expect(throws: InspectionError.empty(path: path)) { try Subject(path: path) }
        for name in ["empty.mbtiles", "empty.mvt", "empty.pbf"] {
            let path = folder.appending(path: name).path
            try Data().write(to: URL(filePath: path))
            let isTile = (try? Subject(path: path)) != nil
            #expect(isTile == !name.hasSuffix(".mbtiles"))
        }
        var gzip = GzipCompressor(level: 6)
        // A gzip of nothing is a tile without layers.
        guard case .tile = try Subject(path: self.path(of: gzip.compress([UInt8]().span))) else {
            Issue.record("it is a tile")
            return
        }
    }

    @Test func `noise that is called an archive is a damaged one, and no tile`() throws {
        let path = folder.appending(path: "noise.mbtiles").path
        // A tile, to one who does not look at the name.
        try Data([0x1A, 9] + Array("noise".utf8)).write(to: URL(filePath: path))
        #expect(throws: InspectionError.noArchive(path: path, kind: "MBTiles")) {
            try Subject(path: path)
        }
        try Data("lon,lat\n1,2\n".utf8).write(to: URL(filePath: path))
        #expect(throws: InspectionError.foreign(path: path, .csv)) { try Subject(path: path) }
    }

    @Test func `a database of points is told apart from an archive`() throws {
        let path = try path(of: [])
        try Database(path: path, mode: .readWriteCreate).execute("CREATE TABLE places (lon, lat)")
        #expect(throws: InspectionError.foreign(path: path, .database)) { try Subject(path: path) }
        try Database(path: path, mode: .readWriteCreate).execute(
            "PRAGMA application_id = \(0x4750_4B47)")
        #expect(throws: InspectionError.foreign(path: path, .geoPackage)) {
            try Subject(path: path)
        }
        do {
            _ = try Subject(path: path)
        } catch {
            #expect("\(error)".hasSuffix("makes an archive of its points"))
        }
    }

    @Test func `what is not there cannot be read`() throws {
        let path = folder.appending(path: "none").path
        #expect(
            throws: InspectionError.unreadable(path: path, reason: "No such file or directory")
        ) { try Subject(path: path) }
    }
}
