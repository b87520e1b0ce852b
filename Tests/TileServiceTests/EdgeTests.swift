import Foundation
import HTTP
import JSON
import TileService
import Testing
import VectorTile

/// Places where one more or one less would be wrong.
struct EdgeTests {
    /// A tile with one cluster of that count.
    static func tile(counting count: UInt64, layers: [String] = ["a"]) -> [UInt8] {
        var builder = TileBuilder()
        for layer in layers {
            builder.beginLayer(layer, extent: 4_096)
            let key = builder.key("point_count")
            builder.beginPoint(id: 1, x: 1, y: 1)
            builder.addTag(key, .uint(count))
            builder.endFeature()
            builder.endLayer()
        }
        return builder.copyBytes()
    }

    static let layer = #"{"vector_layers":[{"id":"a","fields":{}}]}"#

    /// The counts at which the style's steps begin.
    static func steps(
        center: String, zoom: Int, _ counts: [(x: Int, y: Int, count: UInt64)]
    ) throws -> String {
        let folder = try SampleFolder()
        try folder.writeForeign(
            "a.mbtiles",
            metadata: [
                "name": "a", "format": "pbf", "center": center, "json": Self.layer,
                "bounds": "-180,-85,180,85", "minzoom": "\(zoom)", "maxzoom": "\(zoom)",
            ],
            tiles: counts.map {
                (zoom, $0.x, (1 << zoom) - 1 - $0.y, Self.tile(counting: $0.count))
            })
        let style = try folder.service().json("/a/style.json")
        let clusters = try style.required("layers").elements.first {
            try $0.required("id").string == "a/a-clusters"
        }
        guard let clusters else { return "none" }
        return try clusters.required("paint").required("circle-radius").value.text()
    }

    static func steps(_ first: Int, _ second: Int, _ third: Int) -> String {
        #"["step",["get","point_count"],14,\#(first),18,\#(second),21,\#(third),25]"#
    }

    /// Longitude 22.5 and latitude 21.9 lie in column 4, row 3 of zoom 3.
    @Test func `deep down the nine tiles around the center are counted, and no other`() throws {
        var counts: [(x: Int, y: Int, count: UInt64)] = []
        for y in 2...4 {
            for x in 3...5 { counts.append((x, y, UInt64(10 * (1 + counts.count)))) }
        }
        let center = "22.5,21.9,3"
        #expect(try Self.steps(center: center, zoom: 3, counts) == Self.steps(50, 80, 90))
        for one in counts {
            let found = try Self.steps(center: center, zoom: 3, [one])
            #expect(found == Self.steps(Int(one.count), Int(one.count) + 1, Int(one.count) + 2))
        }
        for (x, y) in [(2, 3), (6, 3), (4, 1), (4, 5)] {
            #expect(try Self.steps(center: center, zoom: 3, [(x, y, 5)]) == "none")
        }
    }

    @Test func `the tiles around go round the world, and end at its poles`() throws {
        let counts: [(x: Int, y: Int, count: UInt64)] = [
            (7, 0, 10), (0, 0, 20), (1, 0, 30), (7, 1, 40), (0, 1, 50), (1, 1, 60), (4, 0, 1),
        ]
        let found = try Self.steps(center: "-170,84,3", zoom: 3, counts)
        #expect(found == Self.steps(40, 50, 60))
    }

    @Test func `shallow zooms are counted whole`() throws {
        let counts: [(x: Int, y: Int, count: UInt64)] = [
            (0, 0, 10), (3, 0, 20), (0, 3, 30), (3, 3, 40), (2, 1, 50),
        ]
        #expect(
            try Self.steps(center: "0,0,2", zoom: 2, counts) == Self.steps(30, 50, 51))
    }

    @Test func `of two layers each has the colours of its own recipe and values`() throws {
        let folder = try SampleFolder()
        func layer(_ name: String, _ attribute: String) -> String {
            #"{"name":"\#(name)","clusters":{"aggregates":{"x":"sum:y","m":"mode:\#(attribute)"}}}"#
        }
        func statistics(_ name: String, _ attribute: String, _ value: String) -> String {
            #"{"layer":"\#(name)","attributes":[{"attribute":"z","values":["wrong"]},"#
                + #"{"attribute":"\#(attribute)","values":[1,"\#(value)"]}]}"#
        }
        let layers = ["a", "b"].map { #"{"id":"\#($0)","fields":{}}"# }.joined(separator: ",")
        let statisticsOfAll = [statistics("a", "k", "one"), statistics("b", "l", "two")]
            .joined(separator: ",")
        try folder.writeForeign(
            "a.mbtiles",
            metadata: [
                "name": "a", "format": "pbf", "minzoom": "0", "maxzoom": "0",
                "json":
                    #"{"vector_layers":[\#(layers)],"tilestats":{"layers":[\#(statisticsOfAll)]}}"#,
                "generator_options": #"{"layers":[\#(layer("a", "k")),\#(layer("b", "l"))]}"#,
            ], tiles: [(0, 0, 0, Self.tile(counting: 9, layers: ["a", "b"]))])
        let style = try folder.service().json("/a/style.json").value.text()
        for (attribute, value) in [("k", "one"), ("l", "two")] {
            let points = #"["match",["get","\#(attribute)"],"\#(value)","#
            #expect(style.contains(points), "\(style)")
        }
        #expect(style.contains(#"["match",["get","m"],"one","#))
        #expect(!style.contains("wrong"))
    }

    @Test func `zooms that the metadata say count, though they are one`() throws {
        let document = try DocumentTests.document(
            ["minzoom": "2", "maxzoom": "2"], [(z: 3, x: 0, row: 0, [0x1A, 0x00])])
        #expect(try document.required("minzoom").integer == 2)
        #expect(try document.required("maxzoom").integer == 2)
    }

    @Test func `what is sent is counted, and nothing else`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 30)
        let service = folder.service()
        let sent = service.get("/a/0/0/0")
        _ = service.get("/a/0/0/0", .head)
        let known = service.get("/a/0/0/0") { $0.ifNoneMatch = sent.header("ETag") }
        #expect(known.status == .notModified)
        let text = service.get("/metrics").text
        #expect(text.contains(#"covey_response_bytes_total{kind="tile"} \#(sent.bytes.count)"#))
        #expect(try service.json("/a").member("covey") != nil)
    }

    @Test(arguments: ["-180,-90,180,90", "180,-90,180,90", "-180,-90,-180,-90"])
    func `the whole world is a box`(box: String) throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 30)
        #expect(folder.service().get("/a/leaves", query: [("bbox", box)]).status == .ok)
    }

    @Test func `a record of an access is one line`() throws {
        let address = try #require(IPAddress("10.0.0.7"))
        let request = Request(
            .get, "/a", query: [.init(name: "x", value: "1"), .init(name: "y", value: "")])
        let response = Response(.ok, headers: [.init("Content-Encoding", "gzip")])
        let record = AccessRecord(request, address, response, bytes: 7, seconds: 0.0012345)
        #expect(
            record.line(at: "now")
                == #"{"time":"now","client":"10.0.0.7","method":"GET","path":"/a?x=1&y","#
                + #""status":200,"bytes":7,"encoding":"gzip","ms":1.235}"#)
        let plain = AccessRecord(
            Request(.head, "/b"), address, Response(.notFound), bytes: 0, seconds: 0)
        #expect(
            plain.line(at: "now")
                == #"{"time":"now","client":"10.0.0.7","method":"HEAD","path":"/b","#
                + #""status":404,"bytes":0,"encoding":"identity","ms":0}"#)
    }

    @Test func `MapLibre's address has a path, and a file that is too large is not served`() throws
    {
        #expect(MapLibreSource("https://a.example") == nil)
        #expect(MapLibreSource("https://a.example/") == nil)
        #expect(MapLibreSource("https://a.example/x@1/") == .address("https://a.example/x@1"))
        let folder = try SampleFolder()
        try Data(count: (8 << 20) + 1).write(
            to: URL(fileURLWithPath: folder.file("maplibre-gl.js")))
        try Data("sheet".utf8).write(to: URL(fileURLWithPath: folder.file("maplibre-gl.css")))
        var options = ServiceOptions()
        options.mapLibre = .folder(folder.path)
        let service = folder.service(options)
        #expect(service.get("/-/maplibre-gl.js").status == .notFound)
        #expect(service.get("/-/maplibre-gl.css").text == "sheet")
    }

    @Test func `a fifo in a folder is passed over, whatever it is called`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 30)
        for name in ["b.mbtiles", "maplibre-gl.js"] {
            #expect(mkfifo(folder.file(name), 0o600) == 0)
        }
        let service = folder.service()
        #expect(service.summary.ids == ["a"] && service.summary.problems.isEmpty)
        service.refresh()
        #expect(service.get("/a/0/0/0").status == .ok)
        #expect(MapLibreSource(folder.path) == nil)
        let named = TileService(serving: [ServedPath(path: folder.file("b.mbtiles"))])
        #expect(named.summary.ids.isEmpty && named.summary.problems.count == 1)
        // The user who started it is told of a file, and the web of an id.
        #expect(named.summary.problems.first?.hasPrefix(folder.file("b.mbtiles") + ": ") == true)
        #expect(!named.get("/catalog").text.contains(folder.path))
    }

    /// SQLite would open it, and wait for a writer for ever.
    @Test(arguments: ["-journal", "-wal"])
    func `a fifo beside an archive is told of, and not opened`(suffix: String) throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 30)
        try folder.build("b.mbtiles", points: 30)
        let early = folder.service()
        #expect(early.get("/a/0/0/0").status == .ok)
        #expect(mkfifo(folder.file("a.mbtiles" + suffix), 0o600) == 0)
        let service = folder.service()
        #expect(service.summary.ids == ["b"] && service.summary.problems.count == 1)
        #expect(service.summary.problems.first?.contains("file is a fifo; remove it") == true)
        // Who has it open already goes on, or says that it cannot.
        let statuses = (0..<3).map { early.get("/a/8/\($0)/0").status.rawValue }
        #expect(statuses.allSatisfy { [200, 204, 503].contains($0) })
    }
}
