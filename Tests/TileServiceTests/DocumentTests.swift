import HTTP
import JSON
import TileService
import Testing

/// What is said of archives that others made, whatever their metadata say.
struct DocumentTests {
    static func document(
        _ metadata: [String: String], _ tiles: [(z: Int, x: Int, row: Int, [UInt8])] = []
    ) throws -> JSONNode {
        let folder = try SampleFolder()
        let all = metadata.merging(["name": "A", "format": "pbf"]) { own, _ in own }
        try folder.writeForeign("a.mbtiles", metadata: all, tiles: tiles)
        return try folder.service().json("/a")
    }

    static func numbers(_ node: JSONNode, _ name: String) throws -> [Double] {
        try node.required(name).elements.map { try $0.number }
    }

    @Test func `what the metadata say is passed on`() throws {
        let document = try Self.document([
            "minzoom": "2", "maxzoom": "7", "bounds": "-10,-20,30,40", "center": "5,6,4",
            "description": "D", "attribution": "B", "version": "1.2.3",
            "json":
                #"{"vector_layers":[{"id":"v","fields":{"a":"String"}}],"tilestats":{"layerCount":1}}"#,
        ])
        #expect(try document.required("name").string == "A")
        #expect(try document.required("id").string == "a")
        #expect(try document.required("description").string == "D")
        #expect(try document.required("attribution").string == "B")
        #expect(try document.required("version").string == "1.2.3")
        #expect(try document.required("format").string == "pbf")
        #expect(try document.required("minzoom").integer == 2)
        #expect(try document.required("maxzoom").integer == 7)
        #expect(try Self.numbers(document, "bounds") == [-10, -20, 30, 40])
        #expect(try Self.numbers(document, "center") == [5, 6, 4])
        #expect(try document.required("tilestats").required("layerCount").integer == 1)
        let layer = try document.required("vector_layers").elements[0]
        #expect(try layer.required("fields").required("a").string == "String")
    }

    @Test(arguments: [
        ("1", "1.0.0"), ("2.5", "2.5.0"), ("1.2.3.4", "1.2.3"), ("v1", "1.0.0"),
        ("2024-01-01", "1.0.0"), ("", "1.0.0"), ("1..2", "1.2.0"),
    ])
    func `a version is always three numbers`(version: String, written: String) throws {
        let document = try Self.document(["version": version])
        #expect(try document.required("version").string == written)
    }

    @Test func `without a version it is the first`() throws {
        #expect(try Self.document([:]).required("version").string == "1.0.0")
    }

    /// TileJSON 3.5 and 3.6.
    @Test func `bounds do not wrap, and the center lies inside them and the zooms`() throws {
        let over = try Self.document(["bounds": "170,-10,-170,10", "center": "175,0,3"])
        #expect(try Self.numbers(over, "bounds") == [-180, -10, 180, 10])
        let turned = try Self.document(["bounds": "0,10,10,-10"])
        let world = try Self.numbers(turned, "bounds")
        #expect(world[0] == -180 && world[2] == 180 && world[1] < -85 && world[3] > 85)
        func center(_ text: String?) throws -> [Double] {
            var metadata = ["bounds": "0,-10,10,10", "minzoom": "2", "maxzoom": "5"]
            metadata["center"] = text
            return try Self.numbers(Self.document(metadata), "center")
        }
        #expect(try center("20,0,3")[0] == 5 && center("20,0,3")[2] == 3)
        #expect(try center("1,2,1") == [1, 2, 2] && center("1,2,9") == [1, 2, 5])
        #expect(try center("1,2,2") == [1, 2, 2] && center("1,2,5") == [1, 2, 5])
        #expect(try center(nil)[0] == 5 && center(nil)[2] == 2)
        #expect(try center("10,10,3")[0] == 10)
    }

    @Test func `without zooms in the metadata those of the tiles count`() throws {
        let tile: [UInt8] = [0x1A, 0x00]
        let tiles = [(z: 3, x: 0, row: 0, tile), (z: 5, x: 0, row: 0, tile)]
        for metadata in [[:], ["minzoom": "6", "maxzoom": "2"], ["minzoom": "1"]] {
            let document = try Self.document(metadata, tiles)
            #expect(try document.required("minzoom").integer == 3)
            #expect(try document.required("maxzoom").integer == 5)
        }
        #expect(try Self.document([:]).required("maxzoom").integer == 0)
    }

    @Test(arguments: [
        ("png", "image/png", ["png"]), ("jpg", "image/jpeg", ["jpg", "jpeg"]),
        ("jpeg", "image/jpeg", ["jpg", "jpeg"]), ("webp", "image/webp", ["webp"]),
        ("pbf", "application/x-protobuf", ["pbf", "mvt"]),
        ("mvt", "application/x-protobuf", ["pbf", "mvt"]),
        ("tiff", "application/octet-stream", []),
    ])
    func `tiles are of the kind that the metadata say`(
        format: String, type: String, suffixes: [String]
    ) throws {
        let folder = try SampleFolder()
        try folder.writeForeign(
            "a.mbtiles", metadata: ["name": "A", "format": format],
            tiles: [(0, 0, 0, [0x1A, 0x00])])
        let service = folder.service()
        #expect(service.get("/a/0/0/0").header("Content-Type") == type)
        for suffix in ["png", "jpg", "jpeg", "webp", "pbf", "mvt", "tiff"] {
            let status = service.get("/a/0/0/0.\(suffix)").status
            #expect(status == (suffixes.contains(suffix) ? .ok : .notFound), "\(suffix)")
        }
        let address = try service.json("/a").required("tiles").elements[0].string
        let isVector = suffixes.contains("pbf")
        let suffix = isVector ? "" : suffixes.first.map { "." + $0 } ?? ""
        #expect(address == "http://example.org/a/{z}/{x}/{y}\(suffix)")
    }

    @Test func `the catalog lists archives by id, and what is wrong with the rest`() throws {
        let folder = try SampleFolder()
        try folder.build("b.mbtiles", points: 30)
        try folder.writeForeign(
            "a.mbtiles", metadata: ["name": "A", "format": "png"], tiles: [])
        try folder.writeForeign("x/b.mbtiles", metadata: ["name": "B", "format": "png"], tiles: [])
        let service = TileService(serving: [
            ServedPath(path: folder.path), ServedPath(path: folder.file("x")),
        ])
        let catalog = try service.json("/catalog")
        let archives = try catalog.required("archives").elements
        #expect(try archives.map { try $0.required("id").string } == ["a", "b", "x~b"])
        #expect(try archives[1].required("points").integer == 30)
        #expect(
            try archives[1].required("clusters").value == true
                && archives[0].member("points") == nil)
        #expect(try archives[0].required("clusters").value == false)
        #expect(try archives[0].required("tilejson").string == "http://example.org/a")
        #expect(try archives[0].required("style").string == "http://example.org/a/style.json")
        let problems = try catalog.required("problems").elements
        #expect(try problems.map { try $0.required("id").string } == ["b"])
        #expect(
            try problems[0].required("problem").string
                == "another file has this id; name it as ID=PATH to give it one of its own")
        let health = try service.json("/health")
        #expect(try health.required("status").string == "ok")
        #expect(try health.required("archives").integer == 3)
        #expect(try health.required("problems").integer == 1)
    }

    @Test(arguments: [
        ("a", true), ("A-b_c.d~e", true), (String(repeating: "a", count: 128), true),
        (String(repeating: "a", count: 129), false), ("", false), (".", false), ("..", false),
        ("catalog", false), ("health", false), ("-", false), ("covey.js", false),
        ("covey.global.js", false),
        ("a b", false),
        ("a/b", false), ("é", false), ("a%", false),
    ])
    func `an id that a user gives is one plain segment`(id: String, isTaken: Bool) {
        let path = ServedPath(argument: "\(id)=/nowhere/x.mbtiles")
        #expect(path.id == (isTaken ? id : nil))
        #expect(path.path == (isTaken ? "/nowhere/x.mbtiles" : "\(id)=/nowhere/x.mbtiles"))
    }

    @Test func `a path may have signs of its own`() {
        let path = ServedPath(argument: "a=/nowhere/b=c.mbtiles")
        #expect(path.id == "a" && path.path == "/nowhere/b=c.mbtiles")
    }

    @Test func `a refusal says no more than it must`() throws {
        let service = try SampleFolder().service()
        let missing = service.get("/nothing")
        #expect(missing.status == .notFound && missing.header("Cache-Control") == "no-cache")
        #expect(missing.header("Retry-After") == nil && missing.header("Allow") == nil)
        let bad = service.get("/%")
        #expect(bad.header("Cache-Control") == "no-store")
        let preflight = service.get("/nothing", .options)
        #expect(preflight.header("Access-Control-Max-Age") == "86400")
        #expect(preflight.header("Access-Control-Allow-Headers") == "*")
        #expect(preflight.header("Allow") == "GET, HEAD, OPTIONS")
    }
}
