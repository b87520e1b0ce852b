import Compression
import Geometry
import Points
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Leaf directories that a job makes, of more tiles than one has room for.
struct DirectoriesTests {
    private typealias Entry = PMTilesDirectory.Entry

    /// Writes which tiles a part has at some zooms, and tells of them as a plan does.
    private static func write(
        _ zooms: [(zoom: UInt8, tiles: Range<UInt64>)], to path: String, _ job: CellJob
    ) throws -> (sections: [IndexPlan.Section], entries: [Entry]) {
        var writer = try job.write(path)
        var (sections, entries, offset) = ([IndexPlan.Section](), [Entry](), UInt64(0))
        for (zoom, distances) in zooms {
            var index = TileIndex(zoom: zoom)
            let before = offset
            for distance in distances {
                let tile = TileRun(zoom: zoom, distances: distances).tile(at: distance)
                let length = UInt32(1 + distance % 7)
                index.append(tile, bytes: length, sum: nil)
                entries.append(Entry(id: tile.hilbertID, offset: offset, length: length, run: 1))
                offset += UInt64(length)
            }
            var sink = BlockSink()
            index.write(to: &sink)
            let start = writer.size
            try writer.append(sink.bytes)
            let stream = JobStream(start: 0, count: Int(offset - before))
            sections.append(
                .init(
                    part: 0,
                    zoom: PartZoom(
                        zoom: zoom, tiles: distances.count, stream: stream,
                        index: start..<writer.size)))
        }
        try writer.finish()
        return (sections, entries)
    }

    /// What the leaves of a file list, leaf by leaf.
    private static func entries(in file: DirectoriesFile) throws -> [[Entry]] {
        var inflater = GzipInflater()
        var start = 0
        return try file.leaves.map { leaf in
            let packed = try file.stream.bytes(start..<start + leaf.count, in: file.reader)
            start += leaf.count
            let bytes = try inflater.inflate(packed.span, limit: 1 << 20)
            let entries = try PMTilesDirectory(bytes.span).entries
            #expect(entries.first?.id == leaf.firstID)
            return entries
        }
    }

    @Test func `each leaf is full but for the last, and none lacks a tile`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(5, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 1])
        let cells = try builds.tiled(zoom: 1)
        let plan = try IndexPhase(cells.job).plan
        for count in [4_097, 8_192, 8_200] as [UInt64] {
            try Self.expectLeaves(of: count, plan, cells.job)
        }
    }

    private static func expectLeaves(
        of count: UInt64, _ other: IndexPlan, _ job: CellJob
    ) throws {
        var plan = other
        let (sections, entries) = try Self.write(
            [(7, 30..<4_030), (8, 1..<count - 3_999)], to: job.files.topTiles, job)
        plan.sections = sections
        #expect(plan.tileCount == Int(count) && plan.entriesInLeaf == 4_096)
        #expect(plan.directoryFiles == 1)
        try DirectoriesFile.write(0, plan, job)
        let file = try DirectoriesFile(0, job)
        let leaves = try Self.entries(in: file)
        #expect(leaves.flatMap(\.self) == entries)
        #expect(leaves.dropLast().allSatisfy { $0.count == 4_096 })
        #expect(leaves.count == Int(count + 4_095) / 4_096)
        #expect(file.stream.count == file.leaves.reduce(0) { $0 + $1.count })
        plan.sections.removeLast()
        #expect(plan.directoryFiles == 0)
    }
}
