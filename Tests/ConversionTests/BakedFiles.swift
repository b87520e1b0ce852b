import ArchiveContract
import Conversion
import Foundation
import Geometry
import JSON
import Recipes
import TestSupport
import Testing
import TileArchive
import Tileset

/// A folder of archives, built from seeded points; it goes away with its owner.
final class BakedFiles: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/covey-convert-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    /// A file of points around a few towns, some of which have ids.
    /// - Parameter text: how long a text each has that no other has.
    func points(
        _ name: String, count: Int, seed: UInt64, ids: Range<Int>? = nil, text: Int = 0,
        towns townCount: Int = 12
    ) throws -> String {
        var random = SeededRandom(seed: seed)
        let towns = (0..<townCount).map { _ in
            (random.unit() * 340 - 170, random.unit() * 140 - 70)
        }
        let lines = (0..<count).map { number in
            let town = towns[Int.random(in: towns.indices, using: &random)]
            let longitude = town.0 + (random.unit() - 0.5) * 8
            let latitude = town.1 + (random.unit() - 0.5) * 8
            let id = ids.map { "\"id\": \($0.lowerBound + number), " } ?? ""
            let words = (0..<text / 16).map { _ in Self.word(random.next()) }.joined()
            return
                "{\"type\": \"Feature\", \(id)\"geometry\": {\"type\": \"Point\", \"coordinates\": "
                + "[\(longitude), \(latitude)]}, \"properties\": {\"n\": \(number % 9), "
                + "\"kind\": \"\(["bar", "inn", "café"][number % 3])\"\(text > 0 ? ", \"text\": \"\(words)\"" : "")}}"
        }
        let path = file(name + ".geojsonl")
        try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private static func word(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// Builds layers, each of one file, into an archive.
    @discardableResult
    func build(
        _ name: String, _ layers: [(name: String, source: String)], tiles: JSONValue,
        fields: JSONValue = [], copies: Int = 1, clusters more: JSONObject = [:]
    ) throws -> Archive {
        var clusters: JSONObject = ["aggregates": ["total": "sum:n"], "fields": fields]
        for member in more.members { clusters[member.key] = member.value }
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": tiles,
                "layers": .array(
                    layers.map { layer in
                        [
                            "name": .string(layer.name),
                            "sources": .array(
                                Array(repeating: .string(layer.source), count: copies)),
                            "clusters": .object(clusters),
                        ]
                    }),
            ]))
        let path = file(name)
        let container = ArchiveContainers.container(named: path) ?? MBTiles.self
        _ = try TilesetBuild(recipe, to: path, in: container).run()
        return try Archive(path: path)
    }

    /// Converts an archive into one of another name.
    func convert(
        _ archive: Archive, _ name: String, gzip: Bool = true,
        change: (inout ConversionOptions) -> Void = { _ in }
    ) throws -> (Archive, ConversionReport) {
        var options = ConversionOptions()
        options.sink.folder.keepsGzip = gzip
        change(&options)
        let path = file(name)
        let container = try #require(ArchiveContainers.container(named: path))
        let report = try ArchiveConversion(archive, to: path, in: container, options: options).run()
        return (try Archive(path: path), report)
    }
}

/// All that an archive holds.
struct Contents: Equatable {
    var tiles: [TileID: [UInt8]] = [:]
    var clusters: [ClusterRow] = []
    var blocks: [[UInt8]] = []

    init(of archive: Archive) throws {
        var scan = try archive.scan()
        while let tile = try scan.next() { tiles[tile] = Array(copying: scan.bytes) }
        guard archive.hasClusters else { return }
        let rows = try archive.scanClusters()
        while let row = try rows.next() { clusters.append(row) }
        var scanned = try archive.scanLeafBlocks()
        while try scanned.next() != nil {
            blocks.append(Array(copying: scanned.bytes) + Array("\(scanned.hull ?? [])".utf8))
        }
    }
}

extension [UInt8] {
    init(copying bytes: Span<UInt8>) { self = bytes.withUnsafeBufferPointer { Array($0) } }
}
