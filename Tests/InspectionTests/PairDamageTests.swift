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
}
