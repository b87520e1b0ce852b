import Compression
import Geometry
import TestSupport
import Testing
import TileArchive
import VectorTile

@testable import Conversion

/// Archives that are read as if they were one, held against a look into each.
struct JoinedContentsTests {
    let files = try! BakedFiles()

    /// A tile of one layer with a point that has an id.
    private static func tile(_ layer: String, id: UInt64) -> [UInt8] {
        var builder = TileBuilder()
        builder.beginLayer(layer)
        builder.beginPoint(id: id, x: 7, y: 9)
        builder.endFeature()
        builder.endLayer()
        return builder.copyBytes()
    }

    private func archive(_ name: String, _ tiles: [TileID: [UInt8]]) throws -> Archive {
        let container = try #require(ArchiveContainers.container(named: name))
        let sink = try container.sink(to: files.file(name), options: SinkOptions())
        for (tile, bytes) in tiles.sorted(by: { $0.key.hilbertID < $1.key.hilbertID }) {
            try sink.write([tile], gzip: bytes.span, ends: [bytes.count])
        }
        try sink.finish(ArchiveMetadata(name: name))
        return try Archive(path: files.file(name))
    }

    private static func joined(_ archives: [Archive]) -> JoinedContents {
        JoinedContents(archives, archives[0].metadata, JoinPlan([]), compression: 1)
    }

    /// The layers of a tile, and how many features each has.
    private static func layers(_ stored: Span<UInt8>) throws -> [String] {
        var inflater = GzipInflater()
        let bytes =
            GzipInflater.isGzip(stored)
            ? try inflater.inflate(stored, limit: 1 << 20) : Array(copying: stored)
        var names: [String] = []
        var reader = try TileReader(bytes.span)
        while let layer = try reader.nextLayer() {
            names.append("\(layer.name) \(layer.featureCount)")
        }
        return names
    }

    @Test(arguments: UInt64(0)..<6)
    func `a walk has the tiles of all, each once and with the layers of all`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let parts = (0..<3).map { number in
            var tiles: [TileID: [UInt8]] = [:]
            for _ in 0..<20 {
                let zoom = UInt8.random(in: 0...3, using: &random)
                let width = UInt32(1) << UInt32(zoom)
                let tile = TileID(
                    z: zoom, x: .random(in: 0..<width, using: &random),
                    y: .random(in: 0..<width, using: &random))
                tiles[tile] = Self.tile(number == 2 ? "l0" : "l\(number)", id: UInt64(number))
            }
            return tiles
        }
        let names = ["a.mbtiles", "b.pmtiles", "c.mbtiles"]
        let archives = try zip(names, parts).map { try archive($0, $1) }
        let joined = Self.joined(archives)
        var rewritten = 0
        for zooms in [0...31, 1...2] {
            rewritten += try Self.expect(parts, in: joined, zooms: zooms)
            #expect(joined.tally.rewrittenTiles == rewritten)
        }
        var lookup = try Archive(joined, named: "join", path: "all").openTiles()
        #expect(try lookup.tile(at: TileID(z: 9, x: 1, y: 1)) == nil)
    }

    /// - Returns: how many tiles several of them have.
    private static func expect(
        _ parts: [[TileID: [UInt8]]], in joined: JoinedContents, zooms: ClosedRange<Int>
    ) throws -> Int {
        let archive = Archive(joined, named: "join", path: "all")
        var wanted: [TileID: [String]] = [:]
        for (number, part) in parts.enumerated() {
            for tile in part.keys where zooms.contains(Int(tile.z)) {
                wanted[tile, default: []].append(number == 1 ? "l1" : "l0")
            }
        }
        let keys = wanted.keys.sorted { $0.comesInKeys(before: $1) }
        var numbers: [TileID] = []
        let walk = try archive.scanNumbers(zooms: zooms)
        while let tile = try walk.next() { numbers.append(tile) }
        #expect(numbers == keys)
        var scan = try archive.scan(zooms: zooms)
        var met: [TileID] = []
        while let tile = try scan.next() {
            met.append(tile)
            let all = wanted[tile] ?? []
            let counts = ["l0", "l1"].map { name in (name, all.count { $0 == name }) }
            let found = try layers(scan.bytes).sorted()
            #expect(found == counts.filter { $0.1 > 0 }.map { "\($0.0) \($0.1)" })
            // What one has alone is as it is stored there.
            guard all.count == 1 else { continue }
            #expect(parts.contains { $0[tile] == Array(copying: scan.bytes) })
        }
        #expect(met == keys)
        return wanted.values.count { $0.count > 1 }
    }

    @Test func `sizes and zooms are those of all, where all of them are known`() throws {
        let a = try archive("a.mbtiles", [TileID(z: 0, x: 0, y: 0): Self.tile("a", id: 1)])
        let b = try archive("b.pmtiles", [TileID(z: 1, x: 0, y: 0): Self.tile("b", id: 1)])
        let folder = try archive("c/", [TileID(z: 1, x: 1, y: 0): Self.tile("c", id: 1)])
        let sizes = [a, b].compactMap(\.contents.byteCount)
        #expect(sizes.count == 2 && Self.joined([a, b]).byteCount == sizes[0] + sizes[1])
        #expect(
            Self.joined([a, folder]).byteCount == nil && Self.joined([folder, a]).byteCount == nil)
        let all = Self.joined([a, b, folder])
        #expect(try all.zooms() == 0...1)
        #expect(all.paths == [a.path, b.path, folder.path] && !all.hasClusters)
    }

    @Test func `ids that several archives have are told by layer, each time that a tile has them`()
        throws
    {
        let tally = JoinTally()
        #expect(tally.notes == [] && tally.rewrittenTiles == 0)
        var merge = TileMerge(JoinPlan([]), paths: ["a", "b", "c"], tally)
        for (layer, ids) in [
            ("z", [5, 5, 5]), ("a", [5, 6, 5]), ("q", [1, 2, 3]), ("a", [4, 4, 7]),
        ]
            as [(String, [UInt64])]
        {
            let parts = ids.enumerated().map {
                TileMerge.Part(source: $0, bytes: Self.tile(layer, id: $1))
            }
            _ = try merge.merge(parts, of: TileID(z: 0, x: 0, y: 0))
        }
        let more =
            "times a point of one archive has the id of another's in the same tile; give them other "
            + "ids, or name the layers apart"
        #expect(tally.notes == ["layer a: 2 \(more)", "layer z: 2 \(more)"])
        tally.countSharedIDs(0, in: "n")
        #expect(tally.notes.count == 2)
    }

    /// What comes after a tile that cannot be read is put together as ever.
    @Test func `a tile that cannot be read is told with its archives`() throws {
        var merge = TileMerge(JoinPlan([]), paths: ["a", "b"], JoinTally())
        let (one, two) = (Self.tile("l", id: 1), Self.tile("l", id: 2))
        let whole = try merge.merge(
            [.init(source: 0, bytes: one), .init(source: 1, bytes: two)],
            of: TileID(z: 0, x: 0, y: 0))
        let torn = [UInt8](two.dropLast(2))
        for (bytes, path) in [(torn, "a, b"), ([0x1F, 0x8B, 8, 0], "b")] {
            let error = #expect(throws: ConversionError.self) {
                try merge.merge(
                    [.init(source: 0, bytes: one), .init(source: 1, bytes: bytes)],
                    of: TileID(z: 3, x: 1, y: 2))
            }
            guard case .damagedTile(path, "3/1/2", _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
            let words = error?.description
            #expect(words?.hasPrefix("\(path): tile 3/1/2: ") == true)
            #expect(words?.hasSuffix("\ncovey verify \(path) shows all that is wrong") == true)
        }
        let again = try merge.merge(
            [.init(source: 0, bytes: one), .init(source: 1, bytes: two)],
            of: TileID(z: 0, x: 0, y: 0))
        #expect(again == whole)
    }

    @Test func `each reason says what to do`() {
        for (error, words) in [
            (
                .noTiles(path: "a", asked: "in that box"),
                "a: no tile lies in that box; covey inspect shows what there is"
            ),
            (.cancelled, "stopped; nothing was written"),
            (
                .outputIsInput("a"),
                "a: is read from and cannot be written too; name another output"
            ),
            (.collision("no", advice: "do"), "no\ndo"),
        ] as [(ConversionError, String)] {
            #expect(error.description == words)
        }
    }
}
