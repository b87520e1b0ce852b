import HTTP
import TileService
import Testing

struct QuickAnswerTests {
    static let folder = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        try folder.build("places.mbtiles", points: 500)
        try folder.build("más.mbtiles", points: 10)
        try folder.writeForeign(
            "pictures.mbtiles", metadata: ["name": "pictures", "format": "png"],
            tiles: [(0, 0, 0, [0x1F, 0x8B, 0, 0])])
        try folder.writeForeign(
            "plain.mbtiles", metadata: ["name": "plain", "format": "pbf"],
            tiles: [(0, 0, 0, [0x1A, 0x00])])
        return folder
    }

    static func quick(
        _ service: TileService, _ path: String, _ encoding: String = "gzip"
    ) -> Response? {
        let (path, encoding) = (Array(path.utf8), Array(encoding.utf8))
        return service.quickAnswer(path: path.span, acceptEncoding: encoding.span)
    }

    /// All headers, sorted, as a client would see them.
    static func headers(of response: Response) -> [String] {
        let tag = response.tag.map { [Response.Header("ETag", $0.text)] } ?? []
        let all = tag + (response.common?.headers ?? []) + response.headers
        return all.map { "\($0.name): \($0.value)" }.sorted()
    }

    static let quickPaths = [
        "/places/0/0/0", "/places/0/0/0.pbf", "/places/0/0/0.mvt", "/places/000/0/00",
        "/m=C3=A1s/0/0/0", "/places/0/0/0000000000",
    ]

    @Test(arguments: [ServiceOptions.CrossOrigin.anyone, .noOne])
    func `the quick answer is the one that the long way gives`(
        cors: ServiceOptions.CrossOrigin
    ) throws {
        var options = ServiceOptions()
        options.crossOrigin = cors
        let service = try Self.folder.get().service(options)
        for path in Self.quickPaths {
            let long = service.get(path) { $0.acceptEncoding = "gzip" }
            let quick = try #require(Self.quick(service, path), "\(path)")
            #expect(quick.status == long.status && quick.bytes == long.bytes)
            #expect(Self.headers(of: quick) == Self.headers(of: long))
            let cold = try #require(Self.quick(Self.folder.get().service(options), path))
            #expect(cold.bytes == long.bytes && cold.tag == long.tag)
        }
    }

    @Test(arguments: [
        "", "/", "places/0/0/0", "/places", "/places/0/0", "/places/0/0/", "/places/0/0/0/",
        "//places/0/0/0", "/places//0/0", "/places/0/0/0.png", "/places/0/0/0.pbf0",
        "/places/0/0/.pbf", "/places/+0/0/0", "/places/0/0/-0", "/places/0/1/0", "/places/32/0/0",
        "/places/0/0/99999999999999999999", "/places/0/0/00000000000", "/place/0/0/0",
        "/placess/0/0/0", "/%70laces/0/0/0",
        "/pictures/0/0/0", "/pictures/0/0/0.png", "/plain/0/0/0", "/places/20/0/0", "/a/b/c/0/0/0",
    ])
    func `what is no plain path of a gzip tile goes the long way`(path: String) throws {
        let service = try Self.folder.get().service()
        for kept in Self.quickPaths + [path] {
            _ = service.get(kept) { $0.acceptEncoding = "gzip" }
        }
        #expect(Self.quick(service, path) == nil)
    }

    @Test(arguments: ServiceOptions.MissingTile.allCases)
    func `a missing tile is quickly answered by 204, or the long way`(
        missing: ServiceOptions.MissingTile
    ) throws {
        var options = ServiceOptions()
        options.missingTile = missing
        let service = try Self.folder.get().service(options)
        let path = "/m=C3=A1s/8/0/0"
        let long = service.get(path) { $0.acceptEncoding = "gzip" }
        let quick = Self.quick(service, path)
        #expect((quick != nil) == (missing == .noContent))
        guard let quick else { return }
        #expect(long.status == .noContent && quick.status == .noContent && quick.body == nil)
        #expect(Self.headers(of: quick) == Self.headers(of: long))
    }

    @Test(arguments: [
        ("gzip", true), ("gzip, deflate, br, zstd", true), ("br,gzip", true), ("br, gzip", true),
        ("", false), ("gzipp", false), ("xgzip", false), ("x-gzip", false), ("identity", false),
        ("gzip;q=0", false), ("gzip, *;q=0", false), ("aaaaaaaagzip", false),
        ("gz ip", false), ("gzi", false), ("aaaaaaaaaaaaaaaaaaaa, gzip", true),
    ])
    func `only who plainly takes gzip is answered quickly`(encoding: String, isQuick: Bool) throws {
        let service = try Self.folder.get().service()
        _ = service.get("/places/0/0/0") { $0.acceptEncoding = "gzip" }
        #expect((Self.quick(service, "/places/0/0/0", encoding) != nil) == isQuick)
    }

    @Test func `below a base path the answers are quick too`() throws {
        var options = ServiceOptions()
        options.publicAddress = PublicAddress("https://a.example/b/c")
        let service = try Self.folder.get().service(options)
        _ = service.get("/places/0/0/0") { $0.acceptEncoding = "gzip" }
        #expect(Self.quick(service, "/b/c/places/0/0/0")?.status == .ok)
        #expect(Self.quick(service, "/places/0/0/0")?.status == .ok)
        #expect(Self.quick(service, "/b/cplaces/0/0/0") == nil)
        #expect(Self.quick(service, "/b/c") == nil)
    }

    @Test func `where headers depend on who asks, or a log is kept, the long way is taken`() throws
    {
        let folder = try Self.folder.get()
        var options = ServiceOptions()
        options.crossOrigin = .origins(["https://a.example"])
        let picky = folder.service(options)
        let logging = TileService(serving: [ServedPath(path: folder.path)]) { _ in }
        for service in [picky, logging] {
            _ = service.get("/places/0/0/0") { $0.acceptEncoding = "gzip" }
            #expect(Self.quick(service, "/places/0/0/0") == nil)
        }
    }

    @Test func `quick answers are counted, and end with their archive`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 50)
        let service = folder.service()
        let before = service.get("/a/0/0/0") { $0.acceptEncoding = "gzip" }
        #expect(Self.quick(service, "/a/0/0/0")?.tag == before.tag)
        let text = service.get("/metrics").text
        #expect(text.contains(#"covey_requests_total{kind="tile",status="200"} 2"#))
        try folder.build("a.mbtiles", points: 60, seed: 2)
        service.refresh()
        let after = try #require(Self.quick(service, "/a/0/0/0"))
        #expect(after.tag != before.tag)
        #expect(service.get("/a/0/0/0") { $0.acceptEncoding = "gzip" }.tag == after.tag)
    }
}
