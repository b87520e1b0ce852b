import ArchiveContract
import Compression
import Conversion
import Foundation
import Inspection
import TestSupport
import Testing
import TileArchive

/// What cluster blocks say beyond their points and the clusters that begin in them, changed in an archive
/// whose hashes are right: each change is found.
struct BlockClaimTests {
    let files = try! BakedFiles()

    private static let built = Result { () throws -> Data in
        let files = try BakedFiles()
        let points = try files.points("in", count: 4_600, seed: 3, ids: 1..<4_601)
        try files.build("in.mbtiles", [("points", points)], tiles: ["maxZoom": 2])
        return try Data(contentsOf: URL(filePath: files.file("in.mbtiles")))
    }

    private static let changes: [(String, @Sendable (inout ClusterBlock) -> Void)] = [
        ("leaves", { $0.leaves = $0.leaves.lowerBound..<$0.leaves.upperBound - 1 }),
        ("hull", { $0.hull.removeLast() }),
        ("rows", { $0.rows[$0.rows.count - 1].position.x += 1 }),
        ("shapes", { $0.shapes[0].box.east += 1 }),
        ("shapes", { $0.shapes[0].corners.removeLast() }),
        ("copied", { $0.copied.removeLast() }),
        ("copies", { $0.copies.removeLast() }),
    ]

    /// Writes the archive anew with the index of its first block changed.
    private func write(
        _ name: String, _ change: (inout ClusterBlock) -> Void,
        hull: (inout [GridPoint]) -> Void = { _ in },
        pages: (IDPage) -> [IDPage] = { [$0] }
    ) throws -> Archive {
        let path = files.file("in.mbtiles")
        try Self.built.get().write(to: URL(filePath: path))
        let (source, _) = try files.convert(Archive(path: path), "in.pmtiles") {
            $0.sink.replacesExisting = true
        }
        let target = files.file(name)
        var options = SinkOptions()
        options.folder.keepsGzip = true
        let container = try #require(ArchiveContainers.container(named: target))
        let sink = try container.sink(to: target, options: options)
        guard var tiles = try source.scanAlongCurve() else { fatalError("along no curve") }
        while let tile = try tiles.next() {
            try sink.write([tile], gzip: tiles.bytes, ends: [tiles.bytes.count])
        }
        var metadata = source.metadata
        var covey = metadata.covey?.asObject
        covey?["blocks"] = nil
        metadata.covey = covey.map { .object($0) }
        var blocks = try source.scanLeafBlocks()
        var inflater = GzipInflater()
        var gzip = GzipCompressor(level: 1)
        while let number = try blocks.next() {
            let payload = try #require(ClusterPayload(blocks.index + Array(copying: blocks.bytes)))
            var index = try ClusterBlock(unpacking: payload.index(with: &inflater))
            if number == 0 { change(&index) }
            var block = EncodedBlock(index, leaves: Array(copying: blocks.bytes), with: &gzip)
            if number == 0 { hull(&block.hull) }
            try sink.write(block)
        }
        var ids = try source.scanIDs()
        while let page = try ids.next() {
            for page in pages(page) { try sink.write(EncodedPage(page, with: &gzip)) }
        }
        try sink.finish(metadata)
        return try Archive(path: target)
    }

    private func found(in archive: Archive) throws -> Set<String> {
        Set(try Verification(of: archive, threads: 1, isDeep: true).findings.all.map(\.code))
    }

    @Test func `blocks as they were made have no findings`() throws {
        #expect(try found(in: write("same.pmtiles") { _ in }) == [])
        #expect(try found(in: write("same/") { _ in }) == [])
    }

    @Test(arguments: changes.indices)
    func `a list of a block that is another is found`(index: Int) throws {
        let (name, change) = Self.changes[index]
        let archive = try write("changed.pmtiles", change)
        let findings = try? Verification(of: archive, threads: 1, isDeep: true).findings.all
        let wanted = findings?.contains { finding in
            finding.code == "block-index" && finding.locations.contains { $0.contains(name) }
        }
        // What cannot be a block is refused before.
        #expect(wanted ?? true || findings?.isEmpty == false, "\(name): \(findings ?? [])")
        #expect(findings?.isEmpty != true)
    }

    @Test(arguments: ["changed.pmtiles", "changed/"])
    func `a box of the overview that is another is found`(name: String) throws {
        let archive = try write(name, { _ in }, hull: { $0[0].x -= 9 })
        let findings = try Verification(of: archive, threads: 1, isDeep: true).findings.all
        #expect(findings.map(\.code) == ["block-index"])
        #expect(findings.first?.locations == ["block 2: boxes of the overview"])
    }

    @Test func `an overview of more pages of ids than there are is refused`() throws {
        let archive = try write("whole/") { _ in }
        _ = try write(
            "halves/", { _ in },
            pages: { page in
                var halves = [IDPage(), IDPage()]
                for (row, (id, leaf)) in zip(page.ids, page.firstLeaves).enumerated() {
                    halves[row < page.count / 2 ? 0 : 1].append(id, firstLeaf: leaf)
                }
                return halves
            })
        let blocks = try #require(try archive.description?.get().blocks)
        #expect(blocks.pages == 1)
        let other = files.file("halves/clusters/\(blocks.count + 2).bin")
        try Data(contentsOf: URL(filePath: other)).write(
            to: URL(filePath: files.file("whole/clusters/\(blocks.count + 1).bin")))

        let error = #expect(throws: ArchiveError.self) {
            var scan = try archive.scanIDs()
            _ = try scan.next()
        }
        guard case .damagedClusters(_, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason == "the overview tells of 2 pages of ids, not of 1")
        let findings = try Verification(of: archive, threads: 1).findings.all
        #expect(findings.contains { $0.code == "id-index" })
    }
}
