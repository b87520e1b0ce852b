import Clustering
import Geometry
import Points
import Recipes
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// What is read back of files and told of sizes, number by number.
struct WrittenAgainTests {
    @Test func `a layout that was made before is the one that is made`() throws {
        let builds = try CellBuildTests.Builds(
            [(SamplePoint.towns(80, seed: 5), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 3])
        let cells = try builds.indexed(zoom: 1)
        let job = cells.job
        let index = try IndexPhase(job)
        #expect(!job.files.has(job.files.laidOut))
        let made = try LayPhase(job: job, index: index).run { _ in }
        #expect(job.files.has(job.files.laidOut))
        let read = try LayPhase(job: job, index: index).run { _ in }
        let (box, other) = (try #require(made.bounds), try #require(read.bounds))
        #expect(
            [box.west, box.south, box.east, box.north].count
                == Set([box.west, box.south, box.east, box.north]).count)
        #expect(
            [box.west, box.south, box.east, box.north] == [
                other.west, other.south, other.east, other.north,
            ])
        let (center, again) = (try #require(made.center), try #require(read.center))
        #expect(center.longitude == again.longitude && center.latitude == again.latitude)
        #expect(center.longitude != center.latitude && center.latitude != 0)
        #expect(made.sizes == read.sizes && made.sizes.count == 2)
        for (pieces, others) in zip(made.files, read.files) {
            #expect(pieces.map(\.source) == others.map(\.source))
            #expect(pieces.map(\.stream) == others.map(\.stream))
            #expect(pieces.map(\.offset) == others.map(\.offset))
        }
        // What is told of an archive is told of it the second time as well.
        let whole = try builds.build("whole.pmtiles", in: PMTiles.self)
        let report = try cells.report(of: cells.layOut())
        #expect(report.center == whole.center && report.bounds == whole.bounds)
        #expect(report.fileBytes == whole.fileBytes && report.tileCount == whole.tileCount)
    }

    @Test func `how a layer is drawn apart is read back, and that it is not`() throws {
        for extent in [
            SpreadExtent(firstZoom: 0, metres: 0.5), nil, SpreadExtent(firstZoom: 9, metres: 7),
        ] {
            var sink = BlockSink()
            sink.write(extent)
            var source = BlockSource(sink.bytes)
            #expect(try SpreadExtent?(from: &source) == extent)
            #expect((try? source.byte()) == nil)
        }
    }

    /// The number that another is multiplied with to give 1, where numbers are of 64 bits.
    private static func inverse(_ odd: UInt64) -> UInt64 {
        (0..<6).reduce(odd) { inverse, _ in inverse &* (2 &- odd &* inverse) }
    }

    @Test func `no key has the mark of points without a key`() {
        let (first, second) = (0x9E37_79B9_7F4A_7C15 as UInt64, 0xD6E8_FEB8_6659_FD93 as UInt64)
        for half in [0, 1, 0xFFFF_FFFF, 0x1234_5678] as [UInt64] {
            // Both halves of this product are alike, so that nothing is left where they are joined.
            let product = half << 32 | half
            let number = (product &* Self.inverse(second) ^ 1) &* Self.inverse(first)
            #expect(PointsSum.mixed(1, number) & 0xFFFF_FFFF == 0)
            #expect(PointKey.number(number).mark == 1)
        }
        let marks = (0..<500).map { PointKey.number($0).mark }
        let texts = (0..<500).map { PointKey.text(Array("k\($0)".utf8)).mark }
        #expect(Set(marks + texts).count == 1_000)
    }

    @Test func `bins take 80 bytes for each tile that they are drawn in, and what they carry`()
        throws
    {
        let recipe = try Recipe(
            reading: .init([
                "tiles": ["bins": "square:64"], "layers": [["name": "a", "sources": ["a.csv"]]],
            ]))
        var (table, batch) = (PointTable(), PointBatch())
        let key = table.attributes.keys.intern("n")
        var random = SeededRandom(seed: 2)
        for number in 0..<200 {
            batch.records.append(key, integer: Int64(number))
            batch.append(WorldPoint(x: random.unit(), y: random.unit()))
        }
        table.append(batch)
        var tiles = recipe.tiles
        tiles.binsMaxZoom = 2
        let plan = ZoomPlan(tiles, maxZoom: 4, reason: "")
        let rule = try #require(plan.extras(of: recipe.layers[0]).bins)
        var seen: [Int] = []
        let bins = try #require(
            DrawnBins(
                rule, named: "b", of: table, rows: Column(0..<200),
                options: plan.clusterOptions(for: recipe.layers[0]), threads: 1
            ) { seen.append($0.levels.count) })
        #expect(seen == [1, 2, 3] && bins.maxZoom == 2 && bins.steps.count >= bins.count)
        #expect(bins.count == bins.levels.reduce(0) { $0 + $1.sets.numbers.count })
        let carried = bins.levels.reduce(0) {
            $0 + 12 * $1.sets.numbers.count + $1.sets.attributes.byteCount
        }
        #expect(bins.count > 50 && bins.byteCount == 80 * bins.steps.count + carried)
    }
}
