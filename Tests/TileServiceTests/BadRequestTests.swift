import HTTP
import TileService
import Testing

struct BadRequestTests {
    static let folder = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        try folder.build("places.mbtiles", points: 300)
        try folder.writeForeign(
            "odd.mbtiles",
            metadata: ["name": "odd", "format": "pbf", "minzoom": "0", "maxzoom": "3"],
            tiles: [
                (0, 0, 0, Array("no tile at all".utf8)), (1, 0, 0, [0x1F, 0x8B, 8, 0, 1, 2, 3]),
            ])
        return folder
    }

    @Test(arguments: [
        ("/../etc/passwd", 400), ("/places/../../etc/passwd", 400), ("/%2e%2e/etc/passwd", 400),
        ("/places/%2e%2e%2fodd", 400), ("/..%2f..%2fetc%2fpasswd", 400), ("//etc/passwd", 400),
        ("/places//0/0/0", 400), ("/places/0/0/0%00.pbf", 400), ("/%zz", 400), ("/%", 400),
        ("/%ff%fe", 400), ("/places/", 400), ("etc/passwd", 400), ("*", 400), ("", 400),
        ("/etc/passwd", 404), ("/C:%5Cwindows", 404), ("/nothing", 404), ("/nothing/0/0/0", 404),
        ("/.places", 404), ("/places/nothing", 404), ("/-/nothing.js", 404), ("/-/..", 400),
        ("/-/..%2f..%2fPackage.swift", 400), ("/catalog/more", 404),
        ("/places/a/0/0", 400), ("/places/0/-1/0", 400), ("/places/+1/0/0", 400),
        ("/places/0/0/0x0", 400), ("/places/1e0/0/0", 400), ("/places/0/0/.pbf", 400),
        ("/places/0/1/0", 404), ("/places/0/0/1", 404), ("/places/32/0/0", 404),
        ("/places/0/0/99999999999999999999999999", 400), ("/places/4294967296/0/0", 404),
        ("/places/20/0/0", 404), ("/places/0/0/0.png", 404), ("/places/0/0/0.pbf.gz", 404),
        ("/places/clusters/x/children", 400), ("/places/clusters/-1/children", 400),
        ("/places/clusters/99999999999999999999/leaves", 400), ("/places/clusters/1", 404),
        ("/places/clusters/9223372036854775807/leaves", 404), ("/places/clusters/1/nothing", 404),
        ("/odd/clusters/1/leaves", 404), ("/odd/0/0/0", 500),
    ])
    func `a path that leads nowhere has its status and a reason`(path: String, status: Int) throws {
        let response = try Self.folder.get().service().get(path)
        #expect(response.status.rawValue == status, "\(path): \(response.text)")
        #expect(response.text.hasPrefix(#"{"error":""#))
        #expect(!response.text.contains(try Self.folder.get().path))
    }

    @Test func `a tile that is no gzip inside is an error only where it must be unpacked`() throws {
        let service = try Self.folder.get().service()
        #expect(service.get("/odd/1/0/1").status == .internalServerError)
        #expect(service.get("/odd/1/0/1") { $0.acceptEncoding = "gzip" }.status == .ok)
    }

    @Test(arguments: [
        [("limit", "0")], [("limit", "1001")], [("limit", "ten")], [("limit", "-1")],
        [("limit", "")], [("offset", "-1")], [("offset", "1e3")], [("limit", "%")],
        [("offset", "99999999999999999999")],
    ])
    func `a parameter out of bounds is refused`(query: [(String, String)]) throws {
        let service = try Self.folder.get().service()
        let response = service.get("/places/clusters/1/leaves", query: query)
        #expect(response.status == .badRequest, "\(response.text)")
    }

    @Test(arguments: [
        [], [("lon", "0"), ("lat", "0")], [("lon", "x"), ("lat", "0"), ("zoom", "0")],
        [("lon", "nan"), ("lat", "0"), ("zoom", "0")],
        [("lon", "0"), ("lat", "91"), ("zoom", "0")],
        [("lon", "0"), ("lat", "0"), ("zoom", "32")],
        [("lon", "181"), ("lat", "0"), ("zoom", "1")],
        [("lon", "0x1p3"), ("lat", "0"), ("zoom", "0")],
        [("lon", "0"), ("lat", "0x0"), ("zoom", "0")],
        [("lon", "inf"), ("lat", "0"), ("zoom", "0")],
    ])
    func `a position that is none is refused`(query: [(String, String)]) throws {
        let service = try Self.folder.get().service()
        let response = service.get("/places/clusters/containing", query: query)
        #expect(response.status == .badRequest, "\(response.text)")
    }

    @Test(arguments: [
        "", "1,2,3", "1,2,3,x", "0,10,5,-10", "0,0,200,1", "nan,0,1,1", "1,2,3,4,5", "0x0,0,1,1",
    ])
    func `a box that is none is refused`(box: String) throws {
        let response = try Self.folder.get().service().get("/places/leaves", query: [("bbox", box)])
        #expect(response.status == .badRequest, "\(response.text)")
    }

    @Test(arguments: ["a b", "a/b", "<script>", "a\"b", "", "a?b", "a@b"])
    func `a host that could break out of an address is refused`(host: String) throws {
        let response = try Self.folder.get().service().get("/places") { $0.host = host }
        #expect(response.status == .badRequest, "\(response.text)")
    }

    @Test func `only GET, HEAD and OPTIONS are answered`() throws {
        let response = try Self.folder.get().service().get("/places", .other)
        #expect(response.status == .methodNotAllowed)
        #expect(response.header("Allow") == "GET, HEAD, OPTIONS")
    }
}
