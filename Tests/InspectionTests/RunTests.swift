import ArchiveContract
import Compression
import Conversion
import Foundation
import Geometry
import TestSupport
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// Tiles that share their contents are looked at once, and counted for each.
final class RunTests {
    let folder = FileManager.default.temporaryDirectory.appending(
        path: "covey-runs-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Tiles of other size and contents; some are broken, and one holds no features.
    private func contents() -> [[UInt8]] {
        var gzip = GzipCompressor()
        return (0..<8).map { kind in
            var builder = TileBuilder()
            builder.beginLayer(kind % 2 == 0 ? "even" : "odd", extent: 4_096)
            let key = builder.key("name")
            for number in 0..<kind {
                let place = TilePoint(x: Int32(kind * 500), y: Int32(number * 900 - 200))
                builder.beginFeature(id: nil, .points([place]))
                builder.addTag(key, .string("a\(number)"))
                builder.endFeature()
            }
            builder.endLayer()
            var bytes = builder.copyBytes()
            if kind == 5 { bytes += [0x1A, 0x7F] }
            var packed = gzip.compress(bytes.span)
            if kind == 7 { packed[packed.count / 2] ^= 0xFF }
            return packed
        }
    }

    private func archive(_ name: String, _ runs: [(run: TileRun, kind: Int)]) throws -> Archive {
        let path = folder.appending(path: name).path
        let sink = try PMTiles.sink(to: path, options: SinkOptions())
        let contents = contents()
        for (run, kind) in runs {
            let bytes = contents[kind]
            try sink.write(run, gzip: bytes.span)
        }
        var metadata = ArchiveMetadata(name: name)
        metadata.vectorLayers = [
            VectorLayer(id: "even", fields: [.init("name", .string)]),
            VectorLayer(id: "odd", fields: [.init("name", .string)]),
        ]
        metadata.bounds = LonLatBox(
            west: -180, south: -85.051129, east: 180, north: 85.051129)
        (metadata.minZoom, metadata.maxZoom) = (0, 12)
        try sink.finish(metadata)
        return try Archive(path: path)
    }

    /// The tiles of zooms 0 to 5 in runs of any length, of some kinds of contents.
    private func runs(seed: UInt64) -> [(run: TileRun, kind: Int)] {
        var random = SeededRandom(seed: seed)
        var runs: [(run: TileRun, kind: Int)] = []
        for zoom in UInt8(0)...5 {
            let all = UInt64(1) << (2 * UInt64(zoom))
            var start: UInt64 = 0
            while start < all {
                let end = min(start + UInt64.random(in: 1...40, using: &random), all)
                let kind = Int.random(in: 0...9, using: &random)
                if kind < 8 { runs.append((TileRun(zoom: zoom, distances: start..<end), kind)) }
                start = end
            }
        }
        return runs
    }

    private func unpacked(_ archive: Archive, _ name: String) throws -> Archive {
        let path = folder.appending(path: name).path
        _ = try ArchiveConversion(archive, to: path, in: MBTiles.self).run()
        return try Archive(path: path)
    }

    @Test(arguments: [1, 2, 3])
    func `figures, findings and differences are those of an archive without runs`(
        seed: UInt64
    ) throws {
        let packed = try archive("a.pmtiles", runs(seed: seed))
        let loose = try unpacked(packed, "a.mbtiles")
        for threads in [1, 3] {
            let one = try Survey(of: packed, threads: threads)
            let other = try Survey(of: loose, threads: threads)
            #expect(one.json == other.json && one.zooms == other.zooms)
            for layer in one.layers {
                let same = try #require(other.layers.first { $0.name == layer.name })
                #expect(layer.boxes == same.boxes && layer.pointsByZoom == same.pointsByZoom)
            }
            let codes = ["bad-gzip", "mvt-", "protobuf"]
            let findings = try [packed, loose].map { archive in
                try Verification(of: archive, threads: threads).findings.all.filter { finding in
                    codes.contains { finding.code.hasPrefix($0) }
                }.map { "\($0.code) \($0.message) \($0.count)" }.sorted()
            }
            #expect(findings[0] == findings[1] && findings[0].count > 2)
        }
        for count in [0, 1, 7, 300, 2_000] {
            #expect(
                try packed.heaviestTiles(count) == loose.heaviestTiles(count))
        }
        let second = try archive("b.pmtiles", runs(seed: seed + 10))
        let wanted = try ArchiveDifference(loose, unpacked(second, "b.mbtiles")).json
        #expect(
            try ArchiveDifference(packed, second).json.asObject?["zooms"]
                == wanted.asObject?["zooms"])
        #expect(try ArchiveDifference(packed, packed).isEmpty)
        func told(_ a: Archive, _ b: Archive) throws -> Set<String> {
            var told: Set<String> = []
            _ = try ArchiveDifference(a, b) { group, change in
                for tile in group.tiles { told.insert("\(tile) \(change)") }
            }
            return told
        }
        let all = try told(packed, second)
        #expect(try all == told(loose, unpacked(second, "c.mbtiles")) && all.count > 100)
    }

    @Test func `a world of one tile to zoom 10 is looked at once by all who can`() throws {
        let world = (UInt8(0)...10).map {
            (run: TileRun(zoom: $0, distances: 0..<1 << (2 * UInt64($0))), kind: 4)
        }
        let start = ContinuousClock.now
        let packed = try archive("world.pmtiles", world)
        let survey = try Survey(of: packed, threads: 2)
        #expect(survey.tiles == 1_398_101)
        #expect(survey.layers.map(\.features) == [4 * 1_398_101])
        let verification = try Verification(of: packed, threads: 2)
        let errors = verification.findings.all.filter { $0.severity == .error }
        #expect(errors.map { "\($0.code) \($0.locations)" } == [])
        #expect(verification.survey.tiles == 1_398_101)
        let heaviest = try packed.heaviestTiles(2)
        #expect(heaviest.map(\.tile.description) == ["0/0/0", "1/0/1"])
        #expect(
            try ArchiveDifference(packed, packed).zooms.map(\.sameTiles).reduce(0, +) == 1_398_101)
        let copy = folder.appending(path: "copy.pmtiles").path
        let report = try ArchiveConversion(packed, to: copy, in: PMTiles.self).run()
        #expect(report.tiles == 1_398_101)
        #expect(
            try Data(contentsOf: URL(filePath: copy))
                == Data(contentsOf: URL(filePath: packed.path)))
        #expect(throws: ArchiveError.self) {
            try ArchiveConversion(
                packed, to: folder.appending(path: "c.mbtiles").path, in: MBTiles.self
            ).run()
        }
        #expect(throws: ArchiveError.self) {
            try ArchiveJoin(
                [packed, Archive(path: copy)], to: folder.appending(path: "j.pmtiles").path,
                in: PMTiles.self
            ).run()
        }
        var listed = 0
        #expect(throws: ArchiveError.self) { try packed.listTiles { _ in listed += 1 } }
        #expect(listed == 0)
        #expect(ContinuousClock.now - start < .seconds(5))
    }

    @Test(.timeLimit(.minutes(1)))
    func `all of many equal tiles are the heaviest, in the order of their keys`() throws {
        let packed = try archive("equal.pmtiles", [(TileRun(zoom: 8, distances: 0..<1 << 16), 4)])
        let tiles = try packed.heaviestTiles(1 << 16).map(\.tile)
        #expect(tiles.count == 1 << 16)
        #expect(zip(tiles, tiles.dropFirst()).allSatisfy { $0.comesInKeys(before: $1) })
    }

    /// What says itself that it is too large is not inflated, however often it is there.
    @Test func `a bomb that all tiles have is judged once`() throws {
        var gzip = GzipCompressor(level: 9)
        let bomb = gzip.compress([UInt8](repeating: 0, count: 200 << 20).span)
        let path = folder.appending(path: "bombs.pmtiles").path
        let sink = try PMTiles.sink(to: path, options: SinkOptions())
        for zoom in UInt8(0)...3 {
            let run = TileRun(zoom: zoom, distances: 0..<1 << (2 * UInt64(zoom)))
            try sink.write(run, gzip: bomb.span)
        }
        try sink.finish(ArchiveMetadata(name: "bombs"))
        let archive = try Archive(path: path)
        let start = ContinuousClock.now
        #expect(try Survey(of: archive, threads: 2).unreadableTiles == 85)
        let findings = try Verification(of: archive, threads: 2).findings.all
        #expect(findings.first { $0.code == "bad-gzip" }?.count == 85)
        #expect(try ArchiveDifference(archive, archive).isEmpty)
        #expect(ContinuousClock.now - start < .seconds(2))
    }

    /// A run has 32 bits; the sums of what they stand for have 63.
    @Test func `runs that are too long to be one, and too many to be counted`() throws {
        let (most, zoom) = (UInt64(UInt32.max), UInt8(20))
        let long = try archive(
            "long.pmtiles", [(TileRun(zoom: zoom, distances: 0..<most + 9), 4)])
        #expect(try Survey(of: long, threads: 1).tiles == Int(most) + 9)
        let copy = folder.appending(path: "copy.pmtiles").path
        let report = try ArchiveConversion(long, to: copy, in: PMTiles.self).run()
        #expect(report.tiles == Int(most) + 9)
        #expect(
            try Data(contentsOf: URL(filePath: copy)) == Data(contentsOf: URL(filePath: long.path)))
        var budget = long.workBudget
        try budget.count(bytes: 1 << 30, times: 1 << 30, of: "a")
        #expect(throws: ArchiveError.self) {
            try budget.count(bytes: 1 << 31, times: 1 << 31, of: "a")
        }
        #expect(throws: ArchiveError.self) {
            try budget.count(bytes: 3 << 30, times: 1 << 30, of: "a")
        }
    }
}
