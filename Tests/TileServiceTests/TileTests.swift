import Compression
import HTTP
import JSON
import TileService
import Testing

struct TileTests {
    static let folder = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        try folder.build("places.mbtiles", points: 500)
        try folder.build("deep/er/más.mbtiles", points: 10)
        try folder.writeForeign(
            "pictures.mbtiles", metadata: ["name": "pictures", "format": "png"],
            tiles: [(2, 1, 1, [0x89, 0x50, 0x4E, 0x47])])
        try folder.writeForeign(
            "plain.mbtiles", metadata: ["name": "plain", "format": "pbf"],
            tiles: [(0, 0, 0, [0x1A, 0x00]), (1, 0, 0, [])])
        return folder
    }

    func service(_ change: (inout ServiceOptions) -> Void = { _ in }) throws -> TileService {
        var options = ServiceOptions()
        change(&options)
        return try Self.folder.get().service(options)
    }

    @Test func `stored gzip goes straight through, and is unpacked for those without`() throws {
        let service = try service()
        let packed = service.get("/places/0/0/0") { $0.acceptEncoding = "gzip, br" }
        #expect(packed.status == .ok)
        #expect(packed.header("Content-Encoding") == "gzip")
        #expect(packed.header("Content-Type") == "application/x-protobuf")
        #expect(packed.header("Vary") == "Accept-Encoding")
        #expect(packed.header("Access-Control-Allow-Origin") == "*")
        var inflater = GzipInflater()
        let contents = try inflater.inflate(packed.bytes.span, limit: 1 << 20)
        for _ in 0..<2 {
            let plain = service.get("/places/0/0/0")
            #expect(plain.header("Content-Encoding") == nil)
            #expect(plain.bytes == contents)
        }
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("gzip;q=0", false), ("gzip; q=0.0", false), ("*", true),
        ("*;q=0", false), ("identity", false), ("", false), ("br, gzip;q=0.5", true),
        ("gzip;q=0, *", false), ("deflate,x-gzip", true), ("gzipped", false),
        ("gzip ;q=1", true), ("gzip\t;q=1", true), ("gzip;x=0", true), ("gzip;q=1", true),
        ("gzip;q=0.001", true), ("\tgzip\t", true),
        (" gzip ; Q = 0 ", false), ("*, gzip;q=0", false), ("gzip;level=1;q=0", false),
        ("deflate;q=0, gzip", true),
    ])
    func `what a client says of gzip is understood`(header: String, isPacked: Bool) throws {
        let response = try service().get("/places/0/0/0") { $0.acceptEncoding = header }
        #expect((response.header("Content-Encoding") == "gzip") == isPacked)
    }

    @Test func `a tile of no bytes is none`() throws {
        let missing = try service().get("/plain/1/1/1")
        let empty = try service().get("/plain/1/0/1")
        #expect(empty.status == missing.status && empty.bytes.isEmpty)
        #expect(try service().get("/plain/0/0/0").status == .ok)
    }

    @Test(arguments: ["", ".pbf", ".mvt"])
    func `a tile has the same tag by all its names, another for each encoding`(
        suffix: String
    ) throws {
        let service = try service()
        let packed = service.get("/places/0/0/0\(suffix)") { $0.acceptEncoding = "gzip" }
        let plain = service.get("/places/0/0/0\(suffix)")
        let tag = try #require(packed.header("ETag"))
        #expect(tag == service.get("/places/0/0/0") { $0.acceptEncoding = "gzip" }.header("ETag"))
        #expect(tag != plain.header("ETag"))
        for known in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
            let answer = service.get("/places/0/0/0\(suffix)") {
                $0.acceptEncoding = "gzip"
                $0.ifNoneMatch = known
            }
            #expect(answer.status == .notModified && answer.body?.count == packed.body?.count)
            #expect(answer.header("ETag") == tag && answer.header("Vary") == "Accept-Encoding")
            #expect(answer.header("Cache-Control") == "public, max-age=300")
        }
        #expect(service.get("/places/0/0/0") { $0.ifNoneMatch = tag }.status == .ok)
    }

    @Test func `a missing tile is what the server was told`() throws {
        let path = "/plain/0/0/0"
        #expect(try service().get(path).bytes == [0x1A, 0])
        let deep = "/pictures/2/0/0"
        #expect(try service().get(deep).status == .noContent)
        #expect(try service { $0.missingTile = .notFound }.get(deep).status == .notFound)
        let empty = try service { $0.missingTile = .empty }.get(deep)
        #expect(empty.status == .ok && empty.bytes.isEmpty)
    }

    @Test func `pictures are served as what they are`() throws {
        let picture = try service().get("/pictures/2/1/2.png") { $0.acceptEncoding = "gzip" }
        #expect(picture.header("Content-Type") == "image/png")
        #expect(picture.header("Content-Encoding") == nil)
        #expect(picture.bytes == [0x89, 0x50, 0x4E, 0x47])
        #expect(try service().get("/pictures/2/1/2.pbf").status == .notFound)
        let tiles = try service().json("/pictures").required("tiles").elements[0].string
        #expect(tiles == "http://example.org/pictures/{z}/{x}/{y}.png")
    }

    @Test func `TileJSON has what its specification asks for`() throws {
        let document = try service().json("/places.json")
        #expect(try document.required("tilejson").string == "3.0.0")
        #expect(try document.required("scheme").string == "xyz")
        let layers = try document.required("vector_layers").elements
        #expect(try layers.map { try $0.required("id").string } == ["points"])
        let bounds = try document.required("bounds").elements.map { try $0.number }
        let center = try document.required("center").elements.map { try $0.number }
        #expect(bounds[0] <= center[0] && center[0] <= bounds[2])
        #expect(bounds[1] <= center[1] && center[1] <= bounds[3])
        let most = try document.required("maxzoom").integer(in: 0...24)
        #expect(try document.required("minzoom").integer(in: 0...24) <= Int(center[2]))
        #expect(Int(center[2]) <= most)
    }

    @Test func `addresses are absolute, and a proxy is believed only if it is trusted`() throws {
        func address(_ service: TileService, _ change: (inout Request.Headers) -> Void) throws
            -> String
        {
            let response = service.get("/places", .get, change)
            let document = JSONNode(try JSONValue(parsing: response.text))
            return try document.required("tiles").elements[0].string
        }
        let forwarded: (inout Request.Headers) -> Void = {
            $0.forwardedProto = "https"
            $0.forwardedHost = "tiles.example.com"
            $0.forwardedPrefix = "/maps/"
        }
        let end = "/places/{z}/{x}/{y}"
        #expect(try address(service(), { _ in }) == "http://example.org" + end)
        #expect(try address(service(), forwarded) == "http://example.org" + end)
        let trusting = try service {
            $0.trustedProxies = [AddressBlock("127.0.0.1")].compactMap { $0 }
        }
        #expect(try address(trusting, forwarded) == "https://tiles.example.com/maps" + end)
        // The first proxy of a chain saw the client.
        let chain: (inout Request.Headers) -> Void = {
            $0.forwardedProto = "https, http"
            $0.forwardedHost = " a.example ,b.example"
            $0.forwardedPrefix = "/maps, /other"
        }
        #expect(try address(trusting, chain) == "https://a.example/maps" + end)
        #expect(
            trusting.get("/places") { $0.forwardedHost = "a@b, c" }.text.contains(
                "X-Forwarded-Host"))
        #expect(
            trusting.get("/places") { $0.forwardedPrefix = "/?" }.text.contains(
                "X-Forwarded-Prefix"))
        let public_ = try service { $0.publicAddress = PublicAddress("https://a.example/b/c/") }
        #expect(try address(public_, forwarded) == "https://a.example/b/c" + end)
        for path in ["/b/c/places/0/0/0", "/places/0/0/0", "/b/c/", "/b/c", "/"] {
            #expect(public_.get(path).status == .ok)
        }
        #expect(public_.get("/b/cplaces").status == .notFound)
    }

    @Test func `OPTIONS may ask about the server as a whole`() throws {
        #expect(try service().get("*", .options).header("Allow") == "GET, HEAD, OPTIONS")
        #expect(try service().get("*").status == .badRequest)
    }

    @Test func `whole addresses as targets are understood`() throws {
        #expect(try service().get("http://example.org/places/0/0/0").status == .ok)
        #expect(try service().get("http://example.org").status == .ok)
        // Their authority counts, and not what `Host` says (RFC 9112, 3.2.2).
        #expect(
            try service().get("HTTP://other.example:81/places").text.contains(
                #""http://other.example:81/places/{z}"#))
        for target in [
            "http:///places", "http://a@b/places", "http://a b/places", "ftp://a/places",
        ] {
            #expect(try service().get(target).status == .badRequest)
        }
    }

    @Test func `an id is one safe segment, and the same whatever else is served`() throws {
        let service = try service()
        #expect(service.summary.ids == ["deep~er~m=C3=A1s", "pictures", "places", "plain"])
        #expect(service.get("/deep~er~m=C3=A1s/0/0/0").status == .ok)
        #expect(service.get("/deep~er~m%3DC3%3DA1s/0/0/0").status == .ok)
    }

    @Test func `other origins are let in as the server was told`() throws {
        func allowed(_ cors: ServiceOptions.CrossOrigin, _ origin: String) throws -> String? {
            try service { $0.crossOrigin = cors }.get("/places/0/0/0") { $0.origin = origin }
                .header("Access-Control-Allow-Origin")
        }
        #expect(try allowed(.anyone, "https://a.example") == "*")
        #expect(try allowed(.noOne, "https://a.example") == nil)
        let some = ServiceOptions.CrossOrigin.origins(["https://a.example"])
        #expect(try allowed(some, "https://a.example") == "https://a.example")
        #expect(try allowed(some, "https://b.example") == nil)
        let preflight = try service().get("/places/0/0/0", .options)
        #expect(preflight.status == .noContent)
        #expect(preflight.header("Access-Control-Allow-Methods") == "GET, HEAD, OPTIONS")
    }
}
