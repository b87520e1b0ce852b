import Compression
import Foundation
import HTTP
import JSON
import MadeArchives
import SQLite
import TestSupport
import Testing
import TileArchive
import TileService

/// Every number that an archive says of itself, at and beyond its limits, put before every question: what
/// comes is an answer or a refusal, and the server goes on.
struct AccountNumberTests {
    static let built = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        let points = SamplePoint.random(60, seed: 4)
        for name in ["a.pmtiles", "b.mbtiles"] {
            try folder.build(
                name, of: points, clusters: ["radius": ["0": 40, "3": 60]], tiles: ["maxZoom": 3])
        }
        return folder
    }

    static let values: [JSONValue] = [
        -1, 0, 1, 31, 32, 255, 256, 4_001, .integer(1 << 31), .integer(1 << 48),
        .integer(1 << 53), .integer(.max), .integer(.min), .number(1e308), .number(-1e308), 0.5,
        "NaN", .null,
    ]

    /// Paths of all numbers of a document: keys, or indexes of arrays.
    static func numbers(in value: JSONValue, at path: [String] = []) -> [[String]] {
        switch value {
        case .integer, .number: [path]
        case .object(let object):
            object.members.flatMap { numbers(in: $0.value, at: path + [$0.key]) }
        case .array(let elements):
            elements.enumerated().flatMap { numbers(in: $1, at: path + ["\($0)"]) }
        default: []
        }
    }

    static func changed(_ value: JSONValue, at path: ArraySlice<String>, to new: JSONValue)
        -> JSONValue
    {
        guard let key = path.first else { return new }
        switch value {
        case .object(var object):
            object[key] = object[key].map { changed($0, at: path.dropFirst(), to: new) }
            return .object(object)
        case .array(var elements):
            let index = Int(key) ?? 0
            elements[index] = changed(elements[index], at: path.dropFirst(), to: new)
            return .array(elements)
        default: return value
        }
    }

    /// The account of an archive, and how another is put in its place.
    private static func metadata(of path: String) throws -> JSONValue {
        let bytes = Array(try Data(contentsOf: URL(filePath: path)))
        let header = try PMTilesHeader(bytes)
        let start = Int(header.metadata.offset)
        var inflater = GzipInflater()
        let plain = try inflater.inflate(
            bytes[start..<start + Int(header.metadata.length)].span, limit: 1 << 20)
        return try JSONValue(parsing: String(decoding: plain, as: UTF8.self))
    }

    private static func replaceMetadata(of path: String, by metadata: JSONValue) throws {
        var bytes = Array(try Data(contentsOf: URL(filePath: path)))
        var header = try PMTilesHeader(bytes)
        var gzip = GzipCompressor()
        let packed = gzip.compress(Array(metadata.text().utf8).span)
        header.metadata = .init(offset: UInt64(bytes.count), length: UInt64(packed.count))
        bytes.replaceSubrange(..<127, with: header.bytes)
        try Data(bytes + packed).write(to: URL(filePath: path))
    }

    /// Asks for everything; counts the answers.
    static func askAll(_ service: TileService, _ id: String, cluster: Int64) -> Int {
        let here = "/\(id)/clusters/\(cluster)"
        let paths = [
            "/\(id)", "/\(id)/0/0/0", "/\(id)/3/4/2", "/\(id)/style.json", "\(here)",
            "\(here)/children",
            "\(here)/leaves", "\(here)/hull", "\(here)/bbox", "\(here)/parent",
            "\(here)/expansion-zoom",
        ]
        let near = service.get(
            "/\(id)/clusters/containing", query: [("lon", "10"), ("lat", "10"), ("zoom", "2")])
        let inside = service.get("/\(id)/leaves", query: [("bbox", "-180,-85,180,85")])
        return (paths.map { service.get($0) } + [near, inside]).count {
            (200..<600).contains(Int($0.status.rawValue))
        }
    }

    /// The id of an archive's first cluster.
    static func cluster(in path: String) throws -> Int64 {
        let archive = try Archive(path: path)
        let rows = try archive.scanClusters()
        guard case .cluster(let record)? = try rows.next() else { return 0 }
        return try #require(try archive.description?.get()).id(of: record)
    }

    @Test func `in the metadata of a PMTiles archive and of the file of its clusters`() throws {
        let source = try Self.built.get()
        let cluster = try Self.cluster(in: source.file("a.pmtiles"))
        let files = ["a.pmtiles", "a.clusters.pmtiles"]
        let metadata = try files.map { try Self.metadata(of: source.file($0)) }
        let covey = try #require(metadata[0].asObject?["covey"])
        let paths = Self.numbers(in: covey).map { ["covey"] + $0 }
        #expect(paths.count > 12 && paths.contains(["covey", "blocks", "count"]))
        var random = SeededRandom(seed: 9)
        var trials = paths.flatMap { path in Self.values.map { (path, $0) } }
        // The one that ended the server, and some of the rest.
        trials.shuffle(using: &random)
        trials = [(["covey", "blocks", "count"], -1)] + trials.prefix(40)
        let folder = try SampleFolder()
        for (path, value) in trials {
            for (name, metadata) in zip(files, metadata) {
                try? FileManager.default.removeItem(atPath: folder.file(name))
                try FileManager.default.copyItem(
                    atPath: source.file(name), toPath: folder.file(name))
                try Self.replaceMetadata(
                    of: folder.file(name),
                    by: Self.changed(metadata, at: path[...], to: value))
            }
            let service = folder.service()
            #expect(Self.askAll(service, "a", cluster: cluster) == 13, "\(path) \(value)")
        }
    }

    @Test func `in the rows that MBTiles archives had to format 3`() throws {
        let source = try Self.built.get()
        let cluster = try Self.cluster(in: source.file("b.mbtiles"))
        let folder = try SampleFolder()
        var random = SeededRandom(seed: 10)
        for column in ["key", "leaves", "x", "y", "up"] {
            for value in Self.values.shuffled(using: &random).prefix(6) {
                try? FileManager.default.removeItem(atPath: folder.file("b.mbtiles"))
                try FileManager.default.copyItem(
                    atPath: source.file("b.mbtiles"), toPath: folder.file("b.mbtiles"))
                try OldArchive.makeOld(folder.file("b.mbtiles"))
                let text = value.text().replacing("\"", with: "'")
                try? Database(path: folder.file("b.mbtiles"), mode: .readWriteCreate).execute(
                    "UPDATE covey_clusters SET \(column) = \(text) WHERE rowid % 3 = \(random.next() % 3)"
                )
                let service = folder.service()
                #expect(Self.askAll(service, "b", cluster: cluster) == 13, "\(column) \(value)")
            }
        }
    }

    @Test(arguments: ["leaves", "x", "y", "up", "shift"])
    func `a row of format 3 that has a text for a number is damaged, and no other`(column: String)
        throws
    {
        let folder = try SampleFolder()
        let path = folder.file("b.mbtiles")
        try FileManager.default.copyItem(
            atPath: try Self.built.get().file("b.mbtiles"), toPath: path)
        try OldArchive.makeOld(path)
        func rows() throws -> [ClusterRow] {
            let scan = try Archive(path: path).scanClusters()
            var rows: [ClusterRow] = []
            while let row = try scan.next() { rows.append(row) }
            return rows
        }
        var wanted = try rows()
        guard case .cluster(let first)? = wanted.first else { throw CancellationError() }
        try Database(path: path, mode: .readWriteCreate).execute(
            "UPDATE covey_clusters SET \(column) = 'many' WHERE key = \(first.key.packed)")
        wanted[0] = .damaged(first.key.packed)
        #expect(try rows() == wanted)
    }
}
