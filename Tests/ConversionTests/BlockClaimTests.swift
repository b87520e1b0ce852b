import ArchiveContract
import Basics
import Compression
import Conversion
import Foundation
import Geometry
import Inspection
import TestSupport
import Testing
import TileArchive

/// What cluster blocks, overview, pages and outlines say, changed in an archive whose hashes are right: each change is
/// found.
struct BlockClaimTests {
    let files = try! BakedFiles()

    /// Blocks of some 220 points at most, and clusters of more.
    private static let built = Result { () throws -> (payloads: [[UInt8]], data: Data) in
        let files = try BakedFiles()
        let points = try files.points("in", count: 2_000, seed: 3, ids: 1..<2_001, text: 1_000)
        let archive = try files.build("in.mbtiles", [("points", points)], tiles: ["maxZoom": 3])
        let source = try #require(try archive.contents.clusterPayloads())
        let blocks = try #require(try archive.description?.get().blocks)
        #expect(blocks.count > 8 && blocks.outlines == 1 && blocks.pages > 0)
        let payloads = try (0...blocks.overview).map { number in
            try #require(try source.bytes(ofPayload: number))
        }
        return (payloads, try Data(contentsOf: URL(filePath: archive.path)))
    }

    private typealias Change = @Sendable (_ archive: inout Parts) throws -> Void

    /// The payloads, taken apart.
    private struct Parts {
        var description: ClusterDescription
        var blocks: [(index: ClusterBlock, points: ArraySlice<UInt8>)] = []
        var pages: [IDPage] = []
        var outlines: Outlines
        var overview: BlockOverview
        /// Takes the place of the overview, if there is one.
        var divided: DividedOverview?

        init(_ payloads: [[UInt8]], _ description: ClusterDescription) throws {
            self.description = description
            let said = try #require(description.blocks)
            var inflater = GzipInflater()
            let all = try payloads.map { bytes in
                let payload = try #require(ClusterPayload(bytes))
                return (points: payload.points, index: try payload.index(with: &inflater))
            }
            overview = try BlockOverview(unpacking: all[all.count - 1].index, of: said)
            outlines = try Outlines(unpacking: all[all.count - 2].index)
            let table = try #require(LeafBlockTable(counts: overview.counts))
            for number in 0..<Int(said.count) {
                let block = try ClusterBlock(
                    unpacking: all[number].index, number: Int64(number),
                    leaves: table.leaves(ofBlock: Int64(number)))
                blocks.append((block, all[number].points))
            }
            for number in 0..<Int(said.pages) {
                pages.append(
                    try IDPage(
                        unpacking: all[Int(said.count) + number].index,
                        listing: overview.pages[number].blocks.count))
            }
        }

        var payloads: [[UInt8]] {
            var gzip = GzipCompressor(level: 1)
            var payloads = blocks.map { block in
                ClusterPayload.member(holding: block.index.packed, with: &gzip) + block.points
            }
            let last = divided.map { $0.chapters.map(\.packed) + [$0.contents.packed] }
            for packed in pages.map(\.packed) + [outlines.packed] + (last ?? [overview.packed]) {
                payloads.append(ClusterPayload.member(holding: packed, with: &gzip))
            }
            return payloads
        }

        /// Divides the overview into chapters of three blocks.
        mutating func divide() throws {
            let table = try #require(LeafBlockTable(counts: overview.counts))
            description.blocks?.chapterSize = 3
            divided = DividedOverview(overview, in: table, chapterSize: 3, id: description.id)
        }
    }

    private static let changesOfChapters: [Change] = [
        { $0.divided?.contents.boxes[1].east += 1 },
        { $0.divided?.contents.pages[0] += 1 },
        { $0.divided?.contents.large[0] += 1 },
        { $0.divided?.contents.wide[0].box.south -= 1 },
        { $0.divided?.contents.wide[0].number += 1 },
        { $0.divided?.contents.wide[0].leaves = 0..<1 },
        { $0.divided?.chapters[0].named[0].block += 1 },
        { $0.divided?.chapters[0].named[0].id += 1 },
        { $0.divided?.chapters[0].named.removeLast() },
    ]

    private static let changes: [(String, Change)] = [
        ("hull", { $0.blocks[0].index.hull.removeLast() }),
        ("moved", { $0.blocks[1].index.rows[0].position.x += 40 }),
        ("id", { $0.blocks[1].index.rows[0].shift = 1 }),
        ("count", { $0.blocks[1].index.rows.removeLast() }),
        ("boxes", { $0.overview.boxes[2].east += 1 }),
        ("boxes", { $0.overview.boxes.swapAt(0, 1) }),
        ("moved", { $0.overview.large[0].position.y -= 40 }),
        ("id", { $0.overview.large[0].shift = 2 }),
        ("id", { $0.overview.large.removeLast() }),
        ("pages", { $0.overview.pages[0].blocks.swapAt(0, 1) }),
        ("ids", { $0.pages[0].ids[1] += 1 }),
        ("outline", { $0.outlines.hulls[0].removeLast() }),
        ("outline", { $0.outlines.hulls[0][0].x += 1 }),
    ]

    /// Writes the archive anew with something changed.
    /// - Parameter hashesBytes: whether the hash is over all bytes, as it was at first.
    private func write(
        _ name: String, hashesBytes: Bool = false, _ change: Change
    ) throws -> Archive {
        let (payloads, data) = try Self.built.get()
        let path = files.file("in.mbtiles")
        try data.write(to: URL(filePath: path))
        let source = try Archive(path: path)
        var parts = try Parts(payloads, #require(source.description).get())
        try change(&parts)
        let target = files.file(name)
        var options = SinkOptions()
        options.folder.keepsGzip = true
        let container = try #require(ArchiveContainers.container(named: target))
        let sink = try container.sink(to: target, options: options)
        var tiles = try source.openTiles()
        for tile in try Contents(of: source).tiles.keys.sorted(by: { $0.hilbertID < $1.hilbertID })
        {
            _ = try tiles.withTile(at: tile) { bytes in
                try? sink.write([tile], gzip: bytes, ends: [bytes.count])
            }
        }
        var hash = PayloadHash()
        for payload in parts.payloads {
            let sum = PayloadHash.sum(of: payload.span)
            hash.include(sum: sum)
            try sink.write(payload: payload.span, sum: sum)
        }
        var bytes = MD5()
        for payload in parts.payloads { bytes.update(payload.span) }
        parts.description.blocks?.hash = hashesBytes ? bytes.finish() : hash.finish()
        var metadata = source.metadata
        metadata.covey = parts.description.json
        try sink.finish(metadata)
        return try Archive(path: target)
    }

    private func findings(in archive: Archive) throws -> [Finding] {
        try Verification(of: archive, threads: 1, isDeep: true).findings.all
    }

    @Test(arguments: ["same.mbtiles", "same.pmtiles", "same/"])
    func `blocks as they were made have no findings`(name: String) throws {
        #expect(try findings(in: write(name) { _ in }).isEmpty)
    }

    @Test func `an archive whose hash is over all bytes is sound, and can be converted`() throws {
        let archive = try write("old.pmtiles", hashesBytes: true) { _ in }
        #expect(try findings(in: archive).isEmpty)
        let path = files.file("converted.mbtiles")
        let report = try ArchiveConversion(archive, to: path, in: MBTiles.self).run()
        #expect(report.leafBlocks > 0)
        #expect(try findings(in: Archive(path: path)).isEmpty)
    }

    @Test(arguments: changes.indices)
    func `what a payload says otherwise is found`(index: Int) throws {
        let (what, change) = Self.changes[index]
        let archive = try write("changed.pmtiles", change)
        let found = try findings(in: archive)
        let words = found.map { "\($0.code) \($0.message) \($0.locations)" }
        #expect(words.contains { $0.contains(what) }, "\(what): \(words)")
    }

    @Test(arguments: ["same.mbtiles", "same.pmtiles", "same/"])
    func `an overview in chapters answers the same`(name: String) throws {
        let whole = try write("whole.mbtiles") { _ in }
        let archive = try write(name) { try $0.divide() }
        #expect(try findings(in: archive).isEmpty)
        #expect(try archive.description?.get().format == 5)
        var one = try whole.openClusters()
        var other = try archive.openClusters()
        let rows = try archive.scanClusters()
        let described = try #require(archive.description).get()
        var count = 0
        while case .cluster(let record)? = try rows.next() {
            let id = described.id(of: record)
            #expect(try one.cluster(id) == record && other.cluster(id) == record)
            #expect(try one.outline(of: record.key) == other.outline(of: record.key))
            count += 1
        }
        #expect(count > 10)
    }

    @Test(arguments: changesOfChapters.indices)
    func `what a chapter says otherwise is found`(index: Int) throws {
        let archive = try write("chapters.pmtiles") {
            try $0.divide()
            try Self.changesOfChapters[index](&$0)
        }
        let found = try findings(in: archive)
        #expect(found.contains { $0.code == "block-index" && $0.locations.contains("chapters") })
    }

    /// A point that goes from one block to the next: nothing in either is wrong by itself.
    @Test func `blocks that end elsewhere than they should are found`() throws {
        let archive = try write("moved.pmtiles") { parts in
            parts.description.layers[0].leavesInBlock = 125
        }
        let found = try findings(in: archive)
        let places = found.first { $0.code == "block-index" }?.locations
        #expect(places == ["counts", "large clusters"])
    }

    @Test func `an overview that is not that of the blocks is refused`() throws {
        for change in [
            { $0.overview.counts[0] += 1 }, { $0.overview.pages.removeLast() },
            { $0.overview.boxes.removeLast() },
        ] as [Change] {
            let archive = try write("other.pmtiles", change)
            let error = #expect(throws: ArchiveError.self) { _ = try archive.openClusters() }
            guard case .damagedClusters? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            try? FileManager.default.removeItem(atPath: archive.path)
            try? FileManager.default.removeItem(atPath: files.file("other.clusters.pmtiles"))
        }
    }
}
