import Clustering
import Foundation
import Geometry
import Platform
import Points
import Recipes
import Testing

@testable import Tileset

/// Each number of a forecast, by what docs and comments say that it is made of.
struct ForecastTests {
    private static func file(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "in.txt").path
        try Data(bytes).write(to: URL(filePath: path))
        try body(path)
    }

    @Test(arguments: [
        (0, 0, 0), (1, 10, 350), (1_000, 5_000, 345_000),
        // From 786,432 points on, what is under way takes no more.
        (786_431, 0, 786_431 * 340), (786_433, 0, 786_433 * 140 + 157_286_400),
        (10_000_000, 7, 1_557_286_407),
    ])
    func `memory is the table, 140 bytes a point, and what is under way`(
        points: Int, table: Int, bytes: Int
    ) {
        #expect(MemoryForecast(points: points, tableBytes: table).bytes == bytes)
    }

    @Test func `points of a file are counted in its first stretch, and by its size`() throws {
        let line = #"{"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}},"# + "\n\n"
        let feature = Array(line.utf8)
        for (bytes, points) in [
            // Positions where there are any, however many lines; else lines; none in what is binary.
            (Array(repeatElement(feature, count: 50).joined()), 50), (feature, 1),
            (Array("x,y\n1,2\n3,4\n".utf8), 3), (Array("x,y\n1,2\n\0\n".utf8), 0), ([], 0),
            // A word that begins anew within itself.
            (Array(#"{"coord"coordinates": 1, ""coordinates": 2, "coordinatesx": 3}"#.utf8), 2),
            // The quote that ends a word begins no other.
            (Array(#"{"coordinates"coordinates": 1}"#.utf8), 1),
            // Four stretches, and a little, of lines of 32 bytes.
            (
                Array(
                    repeatElement(
                        Array("\(String(repeating: "7", count: 31))\n".utf8), count: 32_769
                    )
                    .joined()), 32_769
            ),
        ] as [([UInt8], Int)] {
            try Self.file(bytes) { path in
                #expect(MemoryForecast.points(inFiles: [path]) == points)
                #expect(MemoryForecast.points(inFiles: [path, "/nowhere", path]) == 2 * points)
                #expect(MemoryForecast(files: [path]).bytes == points * (70 + 140 + 200))
                let disk = DiskForecast(files: [path])
                #expect(disk.jobBytes == Int(2.2 * Double(66 * points)) + 38 * points)
                #expect(disk.archiveBytes == 38 * points)
            }
        }
    }

    @Test func `disk is rows as often as they are written, tiles and the index`() {
        // Blocks of leaves are in the job's folder too. A row is its record and 36 bytes; 2.2 times in all, 1.5 once points have been read.
        let unread = DiskForecast(
            points: 1_000, recordBytes: 24_000, tileBytes: 5_000, isRead: false)
        #expect(unread.jobBytes == 132_000 + 5_000 + 35_000)
        let read = DiskForecast(
            points: 1_000, recordBytes: 24_000, tileBytes: 5_000, isRead: true)
        #expect(read.jobBytes == 90_000 + 5_000 + 35_000)
        // Half the record, 8 for the position, 15 for the index.
        #expect(read.archiveBytes == 5_000 + 35_000 && unread.archiveBytes == read.archiveBytes)
    }

    @Test func `tiles are a feature for each node of each zoom, 110 bytes each, and a margin`()
        throws
    {
        let samples = SamplePoint.towns(500, seed: 9)
        let builds = try CellBuildTests.Builds(
            [(samples, ["clusters": ["radius": 40, "maxZoom": 6]])],
            tiles: ["minZoom": 1, "maxZoom": 8])
        let job = try builds.plan(zoom: 2).job
        let (xs, ys) = (
            samples.map { WorldPoint($0.place).x }, samples.map { WorldPoint($0.place).y }
        )
        var counts = PointCounts()
        counts.add(Column(xs).span, Column(ys).span, wraps: true)
        let records = job.plan.layers[0].recordBytes
        let feature = 8 + 0.5 * Double(records) / 500
        var bytes = 0.0
        for zoom in 1...8 {
            let nodes =
                zoom > 6
                ? 500 : CellChoice.nodes(counts, job.layerOptions, 1, at: zoom, PointCounts.taken)
            bytes += feature * nodes + 110 * Double(counts.tileCount(at: UInt8(zoom)))
        }
        let forecast = DiskForecast(job.plan, counts, job.layerOptions, job.zooms)
        let expected = DiskForecast(
            points: 500, recordBytes: records, tileBytes: Int(1.3 * bytes), isRead: true)
        #expect(abs(forecast.jobBytes - expected.jobBytes) <= 1 && bytes > 50_000)
        #expect(abs(forecast.archiveBytes - expected.archiveBytes) <= 1)
    }

    @Test func `a job and an archive that do not fit on one disk together are refused`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let (job, archive) = (folder.path + "/not/there", folder.path + "/a.mbtiles")
        let small = DiskForecast(points: 10, recordBytes: 10, tileBytes: 10, isRead: false)
        try small.check(job: job, archive: archive)
        let free = try Directory(folder.path).freeBytes()
        // Each of the two would fit alone.
        let half = DiskForecast(points: 0, recordBytes: 0, tileBytes: free / 4 * 3, isRead: false)
        try half.check(job: job, archive: nil)
        let error = #expect(throws: JobError.self) { try half.check(job: job, archive: archive) }
        guard case .diskTooSmall(let named, let needed, let left)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(named == folder.path && needed == half.jobBytes + half.archiveBytes)
        #expect(left < needed && left > 0)
        let large = DiskForecast(points: 0, recordBytes: 0, tileBytes: 2 * free, isRead: false)
        #expect(throws: JobError.self) { try large.check(job: job, archive: nil) }
    }

    @Test func `as many cells are worked on at once as threads and memory allow`() {
        var options = BuildOptions()
        options.threads = 4
        // Beside 160 MiB, 400 bytes a point of the fullest.
        options.memory = 160 << 20 + 3 * 400_000
        #expect(CellForecast.together([10, 1_000, 20, 30, 40], options) == 3)
        #expect(CellForecast.together([10, 1_000], options) == 2)
        #expect(CellForecast.together([10, 9, 8, 7, 6], options) == 4)
        #expect(CellForecast.together([4_000, 4_000], options) == 1)
        #expect(CellForecast.together([], options) == 1)
        options.memory = 1
        #expect(CellForecast.together([10, 9], options) == 1)
    }

    @Test func `cells are as large as memory allows, 400 bytes a point beside 160 MiB`() {
        let least = 160 << 20
        #expect(CellForecast.bytes(points: 0) == least)
        #expect(CellForecast.bytes(points: 1_000) == least + 400_000)
        for (memory, points) in [
            (0, 0), (least, 0), (least + 399, 0), (least + 400, 1), (least + 4_000_399, 10_000),
        ] {
            #expect(CellForecast.points(within: memory) == points)
        }
    }

    @Test func `what a node takes that is handed up grows with what clusters carry`() throws {
        var plain = ClusterOptions()
        #expect(CellForecast.mostNodes([plain], memory: (160 << 20) + 200_199) == 1_000)
        #expect(CellForecast.mostNodes([plain], memory: 5) == 0)
        var carrying = plain
        carrying.aggregates = [
            try Aggregate(parsing: "a=sum:n"), try Aggregate(parsing: "b=min:n"),
        ]
        carrying.inherit = ["kind"]
        #expect(CellForecast.mostNodes([carrying, plain], memory: (160 << 20) + 440_000) == 1_000)
        // Where clusters are refused, greedy nodes are told their rank.
        plain.minPoints = 3
        #expect(CellForecast.mostNodes([plain], memory: (160 << 20) + 200_000) == 1_000)
        plain.algorithm = .greedy
        #expect(CellForecast.mostNodes([plain], memory: (160 << 20) + 320_000) == 1_000)
        plain.minPoints = 2
        #expect(CellForecast.mostNodes([plain], memory: (160 << 20) + 200_000) == 1_000)
        plain.minUniqueLocations = 3
        #expect(CellForecast.mostNodes([plain], memory: (160 << 20) + 320_000) == 1_000)
    }

    @Test func `a build that does not fit says what it needs and what it may use`() throws {
        let points = SamplePoint.towns(50, seed: 1)
        let lines = Array(points.map(\.line).joined(separator: "\n").utf8)
        try Self.file(lines) { path in
            let recipe = try Recipe(
                reading: .init(["layers": [["name": "a", "sources": [.string(path)]]]]))
            var options = BuildOptions()
            options.memory = 20_499
            let error = #expect(throws: BuildError.self) {
                _ = try TilesetBuild(recipe, to: path + ".mbtiles", options: options).run()
            }
            #expect(error == .notEnoughMemory(needed: 20_500, allowed: 20_499))
            #expect(error?.description.contains("about 21 KiB of memory") == true)
        }
    }

    @Test func `a limit holds what it allows and not a byte more`() throws {
        let limit = MemoryLimit(allowed: 1 << 40, threads: 2)
        #expect(limit.allowed == 1 << 40 && !limit.isExceeded())
        try limit.check(1 << 40)
        #expect(throws: BuildError.notEnoughMemory(needed: 1 << 40 + 1, allowed: 1 << 40)) {
            try limit.check(1 << 40 + 1)
        }
        try limit.checkExceeded()
        let tight = MemoryLimit(allowed: 1_000, threads: 2)
        #expect(tight.isExceeded() && tight.isExceeded())
        let error = #expect(throws: BuildError.self) { try tight.checkExceeded() }
        guard case .notEnoughMemory(let needed, 1_000)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(needed > 1_000 && needed <= PeakMemory.bytes)
        let usual = MemoryLimit(allowed: nil, threads: 2).allowed
        let machine = ProcessInfo.processInfo.physicalMemory
        #expect(abs(Double(usual) / Double(machine) - 0.75) < 0.01)
    }

    @Test(arguments: [
        (0.0, "0.0 m"), (0.034, "0.04 m"), (0.0999, "0.1 m"), (0.11, "0.2 m"), (9.91, "10.0 m"),
        (10, "10 m"), (10.1, "11 m"), (9_999.5, "10000 m"), (10_000, "10 km"), (10_001, "11 km"),
    ])
    func `metres are told rounded up, as finely as people read them`(metres: Double, text: String) {
        #expect(DrawnPrecision.text(metres) == text)
    }

    @Test(arguments: [0.0, 30, -60])
    func `precision is half a unit along both axes, of the tile and of the map`(latitude: Double) {
        let world = 2 * Double.pi * 6_378_137 * cos(latitude * .pi / 180)
        func metres(_ zoom: UInt8, bits: UInt8 = 12) -> Double {
            var options = TileOptions()
            options.extentBits = bits
            return DrawnPrecision(ofDeepest: zoom, options).metres(at: latitude)
        }
        // The deepest tiles have the units that 2^28 to the world make, from 2^12 to 2^16.
        for (zoom, bits) in [(5, 16), (13, 15), (14, 14), (15, 13), (16, 12), (20, 12)] {
            // Units that are finer than the map's are rounded again.
            let halves =
                pow(0.5, Double(zoom + bits)) + (bits > 13 ? pow(0.5, Double(zoom + 13)) : 0)
            let expected = (halves / 2 + 0x1p-33) * world * 2.0.squareRoot()
            #expect(abs(metres(UInt8(zoom)) / expected - 1) < 1e-12)
        }
        let coarse = (pow(0.5, 9 + 11) / 2 + 0x1p-33) * world * 2.0.squareRoot()
        #expect(abs(metres(9, bits: 11) / coarse - 1) < 1e-12)
    }
}
