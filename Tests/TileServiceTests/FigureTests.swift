import Basics
import ClusterQueries
import HTTP
import JSON
@testable import TileService
import Testing
import VectorTile

/// Marks, counts and steps, by given numbers.
struct FigureTests {
    /// Marks stand in caches all over the world: another version must not change them.
    @Test(
        arguments: [
            (0, 0x4f329cadfaf7c73c),
            (1, 0xe58def9f41dd3fa5),
            (7, 0x5b2195375f17ace2),
            (8, 0x5ca9e9d399363654),
            (9, 0xf043b9a30a12803a),
            (15, 0x1ae9dd7aa0485815),
            (16, 0x776cc0d1608e325f),
            (17, 0x6c14219945e99907),
            (32, 0x4c8df75e17963ef7),
            (33, 0x82a96b37f33e3536),
        ] as [(Int, UInt64)])
    func `equal bytes have the mark that they always had`(count: Int, mark: UInt64) {
        let bytes = (0..<count).map { UInt8($0 * 37 & 255) }
        #expect(ContentHash(of: bytes.span).value == mark)
    }

    @Test func `each byte counts, wherever it stands`() {
        for count in 1..<40 {
            let bytes = [UInt8](repeating: 0, count: count)
            let mark = ContentHash(of: bytes.span)
            for index in 0..<count {
                var other = bytes
                other[index] = 1
                #expect(ContentHash(of: other.span) != mark, "\(count), \(index)")
            }
            #expect(ContentHash(of: (bytes + [0]).span) != mark)
        }
    }

    @Test func `statuses of a kind are told in their order`() {
        let metrics = Metrics()
        let statuses: [Status] = [.notFound, .ok, .badRequest, .notModified, .methodNotAllowed]
        for status in statuses { metrics.record(.tile, status: status, seconds: 0, bytes: 0) }
        let told = metrics.text(gauges: []).split(separator: "\n")
            .filter { $0.hasPrefix("covey_requests_total{kind=\"tile\"") }
        let wanted = statuses.map(\.rawValue).sorted().map {
            "covey_requests_total{kind=\"tile\",status=\"\($0)\"} 1"
        }
        #expect(told.map(String.init) == wanted)
    }

    @Test func `metrics are what was counted`() {
        let metrics = Metrics()
        metrics.record(.tile, status: .ok, seconds: 0.0001, bytes: 7)
        metrics.record(.tile, status: .ok, seconds: 0.00011, bytes: 5)
        metrics.record(.tile, status: .notFound, seconds: 2, bytes: 0)
        metrics.record(.page, status: .ok, seconds: 1, bytes: 100)
        let lines = metrics.text(gauges: [("things", "Things now.", 3)]).split(separator: "\n")
        for line in [
            #"covey_requests_total{kind="tile",status="200"} 2"#,
            #"covey_requests_total{kind="tile",status="404"} 1"#,
            #"covey_response_bytes_total{kind="tile"} 12"#,
            #"covey_response_bytes_total{kind="page"} 100"#,
            #"covey_response_bytes_total{kind="style"} 0"#,
            #"covey_request_seconds_bucket{kind="tile",le="0.0001"} 1"#,
            #"covey_request_seconds_bucket{kind="tile",le="0.00025"} 2"#,
            #"covey_request_seconds_bucket{kind="tile",le="1.0"} 2"#,
            #"covey_request_seconds_bucket{kind="tile",le="+Inf"} 3"#,
            #"covey_request_seconds_bucket{kind="page",le="0.25"} 0"#,
            #"covey_request_seconds_bucket{kind="page",le="1.0"} 1"#,
            #"covey_request_seconds_sum{kind="tile"} 2.00021"#,
            #"covey_request_seconds_count{kind="tile"} 3"#,
            "# HELP covey_things Things now.", "# TYPE covey_things gauge", "covey_things 3",
            "covey_uptime_seconds 0",
        ] {
            #expect(lines.contains { $0 == line }, "\(line)")
        }
    }

    @Test func `features are found by their ids, as long as they carry no more than they may`()
        throws
    {
        var builder = TileBuilder()
        for layer in 0..<2 {
            builder.beginLayer("\(layer)", extent: 4_096)
            let key = builder.key("text")
            for id in UInt64(0)..<4 {
                builder.beginPoint(id: 10 * UInt64(layer) + id, x: 1, y: 1)
                builder.addTag(key, .string(String(repeating: "x", count: 94)))
                builder.endFeature()
            }
            builder.endLayer()
        }
        let tile = TileFeatures(builder.copyBytes())
        // A text of 94 bytes has two more before it, and four in its key.
        func find(_ ids: Set<UInt64>, _ mostBytes: Int) throws -> ([UInt64], isCut: Bool) {
            var found = TileFeatures.Found(mostBytes: mostBytes)
            try tile.find(ids, into: &found)
            return (found.features.keys.sorted(), found.isCut)
        }
        #expect(try find([1, 3, 12, 99], 300) == ([1, 3, 12], false))
        #expect(try find([1, 3, 12], 299) == ([1, 3], true))
        #expect(try find([1, 3, 12], 100).0 == [1] && find([1], 100).isCut == false)
        #expect(try find([], 0) == ([], false))
    }

    @Test func `steps are quantiles in round figures, each above the last`() throws {
        let steps = try #require(
            CountSteps(seen: [
                0: Array(1...1_000), 1: [2, 2, 2], 2: [2, 2, 2], 3: [], 4: [98_765],
            ]))
        #expect(steps.largest == 98_765)
        #expect(steps.stepsByZoom.map(\.zoom) == [0, 1, 4])
        #expect(
            steps.stepsByZoom.map(\.counts) == [
                [500, 800, 950], [3, 4, 5], [98_000, 98_001, 98_002],
            ])
        let text = steps.expression { _ in ["a", "b", "c", "d"] }.text()
        #expect(
            text
                == #"["step",["zoom"],["step",["get","point_count"],"a",500,"b",800,"c",950,"d"],"#
                + #"1,["step",["get","point_count"],"a",3,"b",4,"c",5,"d"],"#
                + #"4,["step",["get","point_count"],"a",98000,"b",98001,"c",98002,"d"]]"#)
        let one = try #require(CountSteps(seen: [5: [10, 20]]))
        #expect(
            one.expression { _ in ["a", "b", "c", "d"] }.text()
                == #"["step",["get","point_count"],"a",20,"b",21,"c",22,"d"]"#)
        #expect(CountSteps(seen: [:]) == nil && CountSteps(seen: [1: []]) == nil)
    }

    @Test func `a count has the weight of those it stands for`() throws {
        let steps = try #require(
            CountSteps(countsByZoom: [
                3: [(count: 1_000, share: 1), (count: 10, share: 12), (count: 40, share: 7)],
                4: [(count: 7, share: 0.25), (count: 90, share: 0.25), (count: 30, share: 0.5)],
            ]))
        #expect(steps.stepsByZoom.map(\.counts) == [[10, 40, 1_000], [30, 90, 91]])
    }

    @Test func `steps are equal where all zooms, counts and the largest are`() {
        func steps(_ counts: [Int: [Int]]) -> CountSteps? { CountSteps(seen: counts) }
        let one = steps([1: [10, 20, 30], 4: [500]])
        #expect(one == steps([1: [10, 20, 30], 4: [500]]))
        // Another zoom, other counts of one, one zoom less, another largest.
        for other in [
            [2: [10, 20, 30], 4: [500]], [1: [10, 20, 30], 5: [500]], [1: [10, 21, 31], 4: [500]],
            [1: [10, 20, 30], 4: [490, 490, 500]], [1: [500]], [1: [10, 20, 30], 4: [503]],
        ] { #expect(one != steps(other)) }
    }
}

extension CountSteps {
    /// Steps from counts that stand for themselves alone.
    fileprivate init?(seen countsByZoom: [Int: [Int]]) {
        self.init(countsByZoom: countsByZoom.mapValues { $0.map { (count: $0, share: 1) } })
    }
}
