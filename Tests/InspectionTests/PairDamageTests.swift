import Compression
import Foundation
import Inspection
import Testing
import TileArchive

/// Damage done to an archive of two files, and exactly what is found of it.
final class PairDamageTests {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "covey-pair-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for kind in [ArchiveKind.single, .layers] { try convert(kind) }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func file(_ name: String) -> URL { folder.appending(path: name) }

    /// Makes a pair of the same name of an archive as it was built.
    private func convert(_ kind: ArchiveKind) throws {
        let database = "\(kind).mbtiles"
        try kind.bytes().write(to: file(database))
        let process = Process()
        process.executableURL = ArchiveKind.program
        process.arguments = ["convert", database, "\(kind).pmtiles", "--quiet"]
        process.currentDirectoryURL = folder
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private func codes(deep: Bool = false) throws -> Set<String> {
        let archive = try Archive(path: file("single.pmtiles").path)
        let findings = try Verification(of: archive, threads: 1, isDeep: deep).findings
        return Set(findings.all.map(\.code))
    }

    private func changeHeader(
        of name: String, _ change: (inout PMTilesHeader) -> Void
    ) throws {
        var bytes = Array(try Data(contentsOf: file(name)))
        var header = try PMTilesHeader(bytes)
        change(&header)
        bytes.replaceSubrange(..<PMTilesHeader.byteCount, with: header.bytes)
        try Data(bytes).write(to: file(name))
    }

    @Test func `a pair as it was made has no findings`() throws {
        #expect(try codes(deep: true) == [])
    }

    @Test func `a file of clusters that is missing, another's or none at all is found`() throws {
        let clusters = file("single.clusters.pmtiles")
        try FileManager.default.removeItem(at: clusters)
        #expect(try codes() == ["cluster-file"])
        try FileManager.default.copyItem(at: file("layers.clusters.pmtiles"), to: clusters)
        #expect(try codes() == ["cluster-file"])
        try Data("no archive".utf8).write(to: clusters)
        #expect(try codes() == ["cluster-file"])
    }

    @Test func `what either header says wrongly is found`() throws {
        try changeHeader(of: "single.pmtiles") { $0.addressedTiles += 1 }
        #expect(try codes() == ["pmtiles-counts"])
        try changeHeader(of: "single.pmtiles") {
            $0.addressedTiles -= 1
            $0.contents += 1
        }
        #expect(try codes() == ["pmtiles-counts"])
        try changeHeader(of: "single.pmtiles") {
            $0.contents -= 1
            $0.centerZoom = 9
        }
        #expect(try codes() == ["pmtiles-zooms", "center"])
        try changeHeader(of: "single.pmtiles") { $0.centerZoom = 2 }
        try changeHeader(of: "single.clusters.pmtiles") { $0.entries += 1 }
        #expect(try codes() == ["pmtiles-counts"])
        try changeHeader(of: "single.clusters.pmtiles") {
            $0.entries -= 1
            $0.maxZoom += 1
        }
        #expect(try codes() == ["pmtiles-zooms"])
    }

    static let claims: [(name: String, change: @Sendable (inout PMTilesHeader) -> Void)] = [
        ("root offset", { $0.root.offset += 1 }), ("root length", { $0.root.length -= 1 }),
        ("metadata offset", { $0.metadata.offset += 1 }),
        ("metadata length", { $0.metadata.length -= 1 }),
        ("leaves offset", { $0.leaves.offset = 0 }), ("leaves length", { $0.leaves.length += 1 }),
        ("tiles offset", { $0.tiles.offset += 1 }), ("tiles length", { $0.tiles.length -= 1 }),
        ("addressed", { $0.addressedTiles += 1 }), ("entries", { $0.entries -= 1 }),
        ("contents", { $0.contents += 1 }), ("clustered", { $0.isClustered = false }),
        ("internal", { $0.internalCompression = .none }),
        ("compression none", { $0.tileCompression = $0.tileCompression == .none ? .gzip : .none }),
        ("compression brotli", { $0.tileCompression = .brotli }),
        ("compression unknown", { $0.tileCompression = .unknown }),
        ("tile type", { $0.tileType = .png }), ("least zoom", { $0.minZoom += 1 }),
        ("most zoom", { $0.maxZoom = $0.maxZoom == 0 ? 1 : $0.maxZoom - 1 }),
        ("west", { $0.bounds[0] += 10_000_000 }), ("south", { $0.bounds[1] -= 10_000_000 }),
        ("east", { $0.bounds[2] += 10_000_000 }), ("north", { $0.bounds[3] -= 10_000_000 }),
        ("center zoom", { $0.centerZoom = 30 }),
        ("center", { $0.center = [1_790_000_000, -840_000_000] }),
    ]

    @Test(arguments: claims.indices, ["single.pmtiles", "single.clusters.pmtiles"])
    func `each field of either header is checked`(index: Int, file: String) throws {
        try changeHeader(of: file, Self.claims[index].change)
        let codes = (try? codes()) ?? ["refused"]
        #expect(!codes.isEmpty, "\(Self.claims[index].name) of \(file)")
    }

    @Test func `a file of clusters that says otherwise than its archive is found`() throws {
        let path = file("single.clusters.pmtiles")
        let bytes = try Data(contentsOf: path)
        let kept = try PMTilesHeader(Array(bytes))
        var inflater = GzipInflater()
        let section = Int(kept.metadata.offset)..<Int(kept.metadata.offset + kept.metadata.length)
        let plain = try inflater.inflate(Array(bytes[section]).span, limit: 1 << 20)
        for (old, new) in [("\"Sample\"", "\"Simple\""), ("\"covey ", "\"convoy"), ("60", "61")] {
            let text = String(decoding: plain, as: UTF8.self)
            let changed = Array(text.replacing(old, with: new, maxReplacements: 1).utf8)
            #expect(changed != plain)
            // Behind all else, as the format allows.
            var gzip = GzipCompressor(level: 6)
            let packed = gzip.compress(changed.span)
            var header = kept
            header.metadata = .init(offset: UInt64(bytes.count), length: UInt64(packed.count))
            try Data(header.bytes + bytes.dropFirst(PMTilesHeader.byteCount) + packed)
                .write(to: path)
            #expect(try codes().contains("cluster-file"), "\(new)")
        }
    }
}
