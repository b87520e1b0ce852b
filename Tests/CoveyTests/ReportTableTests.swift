import Clustering
import Geometry
import Testing

@testable import PointInput
@testable import Tileset
@testable import covey

/// All that a report says to people, each number another.
struct ReportTableTests {
    private static func layer() throws -> BuildReport.Layer {
        var input = InputReport(
            records: 1_234, kept: 1_200, points: 1_300,
            rejected: [.syntax: 3, .noLocation: 20, .filtered: 3, .tooLong: 1_001],
            notes: ["a note", "another"])
        input.samples = [7, 9].map {
            Rejection(
                reason: .syntax, problem: "is broken",
                location: RecordLocation(input: "a.csv", noun: "row", record: $0, line: $0 + 1))
        }
        input.duplicates = 1
        input.regions = RegionTally(regions: ["north": 5, "south": 0], outside: 2)
        var layer = BuildReport.Layer(name: "a", input: input, points: 1_299, clusters: 1)
        layer.heldClusters = 1_500
        layer.skippedValues = [("sum", 1_007), ("low", 0), ("mean", 1)]
        layer.facets = [
            try FacetLayout(
                Facet(parsing: "kind"), axes: [.init(values: ["x", "y"], otherValues: 2_345)]),
            try FacetLayout(Facet(parsing: "size"), axes: [.init(values: ["x"])]),
        ]
        layer.bins = (1_111, 6)
        return layer
    }

    @Test func `a layer tells what became of its records, and of all that was made of them`() throws
    {
        var report = BuildReport()
        report.layers = [try Self.layer()]
        let text = ReportTable(report, files: ["out"]).text
        #expect(
            text.components(separatedBy: "\n\n")[0] == """
                a: 1,234 records in, 1,299 points kept, 1 cluster
                  1,001 left out, \(RejectReason.tooLong.phrase)
                  20 left out, without coordinates
                  3 left out, \(RejectReason.filtered.phrase)
                  3 left out, not well-formed (first: a.csv:8: row 7)
                  1 point left out as duplicates (--dedupe)
                  2 regions, 2 points outside all of them
                  1 region without a point: south
                  a note
                  another
                  1,500 clusters beyond the cluster zooms, as their points share one place or tiles would be too full
                  1,007 values left out of sum: missing or of another kind
                  1 value left out of mean: missing or of another kind
                  facet kind: the 2 most common values of kind are counted by themselves; 2,345 more are counted as other
                  1,111 bins down to zoom 6
                """)
    }

    @Test(arguments: [
        (1, "1 region without a point: r0"),
        (8, "8 regions without a point: r0, r1, r2, r3, r4, r5, r6, r7"),
        (9, "9 regions without a point: r0, r1, r2, r3, r4, r5, r6, r7, … (--json names all)"),
    ])
    func `eight regions without a point are named`(count: Int, line: String) {
        var report = BuildReport()
        var input = InputReport()
        let names = (0..<count).map { ("r\($0)", 0) }
        input.regions = RegionTally(regions: .init(uniqueKeysWithValues: names), outside: 1)
        report.layers = [.init(name: "a", input: input, points: 1, clusters: 0)]
        #expect(ReportTable(report, files: ["out"]).text.contains("  \(line)\n\n"))
    }

    @Test func `what is nothing takes no line`() {
        var report = BuildReport()
        report.layers = [.init(name: "a", input: InputReport(), points: 0, clusters: 2)]
        report.fileBytes = 12_345
        #expect(
            ReportTable(report, files: ["out"]).text == """
                a: 0 records in, 0 points kept, 2 clusters

                out: 0 tiles, 12.3 kB. Look at it: covey serve out
                """)
    }

    @Test func `tiles, stages, cells and bounds have a part each, in this order`() {
        var report = BuildReport()
        report.layers = [.init(name: "a", input: InputReport(), points: 0, clusters: 0)]
        report.clusterIDsMayEqualPointIDs = true
        var (first, second) = (BuildReport.Zoom(zoom: 3), BuildReport.Zoom(zoom: 12))
        (first.tiles, first.bytes, first.clusters, first.points) = (1_001, 2_002, 3, 4_004)
        (first.largestCluster, first.pointCount) = (55, 66_000)
        (second.tiles, second.bytes, second.clusters, second.points) = (7, 8, 9, 10)
        (second.largestCluster, second.pointCount) = (11, 12)
        report.zooms = [first, second]
        report.zoomReason = "because"
        report.leftOutTiles = [3: 1_000, 4: 5]
        report.largestTiles = [
            .init(tile: TileID(z: 3, x: 1, y: 2), bytes: 1_500, features: 1),
            .init(tile: TileID(z: 12, x: 5, y: 6), bytes: 8, features: 2),
        ]
        report.stages = [
            .init(stage: .read, seconds: 1.004, peakBytes: 1),
            .init(stage: .tiles, seconds: 62.5, peakBytes: 2_500_000),
        ]
        report.bounds = LonLatBox(west: -1.00006, south: -0.00001, east: 3, north: 4.5)
        report.center = LonLat(longitude: 1.25, latitude: 2.123_44)
        #expect(
            ReportTable(report, files: ["out"]).text == """
                a: 0 records in, 0 points kept, 0 clusters
                some ids of clusters may equal ids of points, which are too high to avoid this

                zoom  tiles    size  clusters  points  largest  Σ count
                   3  1,001  2.0 kB         3   4,004       55   66,000
                  12      7     8 B         9      10       11       12
                because
                1,005 tiles left out, whose ancestors show the same: maps must show the ancestors instead

                largest tiles: 3/1/2 1.5 kB, 12/5/6 8 B

                read 1.00 s, tiles 62.50 s; peak memory 2.5 MB

                bounds -1.0001, 0.0, 3.0, 4.5; centre 1.25, 2.1234

                out: 1,008 tiles, 0 B. Look at it: covey serve out
                """)
    }

    @Test(arguments: [
        ("kind", "most common"), ("day:month", "latest"), ("n:3,6", "most common"),
    ])
    func `of moments the latest are kept, and of all else the most common`(
        facet: String, kept: String
    ) throws {
        var report = BuildReport()
        var layer = BuildReport.Layer(name: "a", input: InputReport(), points: 0, clusters: 0)
        let parsed = try Facet(parsing: facet)
        layer.facets = [
            try FacetLayout(parsed, axes: [.init(values: ["1", "2", "3"], otherValues: 1)])
        ]
        report.layers = [layer]
        #expect(
            ReportTable(report, files: ["out"]).text.contains(
                "\n  facet \(parsed.name): the 3 \(kept) values of \(parsed.axes[0].name) are "
                    + "counted by themselves; 1 more are counted as other\n"))
    }
}
