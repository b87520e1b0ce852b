import Foundation
import HTTP
import JSON
import TileService
import Testing

/// What caches between server and client may keep, and for whom.
struct CachingTests {
    static let folder = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        try folder.build("places.mbtiles", points: 300)
        return folder
    }

    static let documents = ["/places", "/places.json", "/places/style.json", "/catalog", "/"]

    /// Otherwise one client's `Host` could be what the next is told by a cache.
    @Test func `what repeats the client's word of the address is for this client alone`() throws {
        let service = try Self.folder.get().service()
        for path in Self.documents {
            #expect(service.get(path).header("Cache-Control") == "no-cache, private", "\(path)")
            let tag = service.get(path).header("ETag")
            let known = service.get(path) { $0.ifNoneMatch = tag }
            #expect(known.status == .notModified)
            #expect(known.header("Cache-Control") == "no-cache, private")
        }
        let proxy = try #require(AddressBlock("127.0.0.1"))
        var options = ServiceOptions()
        options.trustedProxies = [proxy]
        let behind = try Self.folder.get().service(options).get("/places") {
            $0.forwardedHost = "other.example"
        }
        #expect(behind.header("Cache-Control") == "no-cache, private")
        #expect(behind.text.contains("http://other.example/places/"))
    }

    @Test func `with an address of its own the server repeats nothing, and all may keep it`() throws
    {
        var options = ServiceOptions()
        options.publicAddress = PublicAddress("https://tiles.example/base")
        options.cacheControl = "public, max-age=7"
        let service = try Self.folder.get().service(options)
        for path in Self.documents {
            let response = service.get(path) { $0.host = "evil.example" }
            #expect(!response.text.contains("evil.example"))
            let isListed = path == "/catalog" || path == "/"
            #expect(
                response.header("Cache-Control") == (isListed ? "no-cache" : "public, max-age=7"))
        }
    }

    @Test func `answers about tiles and clusters are the same for all`() throws {
        let service = try Self.folder.get().service()
        for path in ["/places/0/0/0", "/places/8/0/0"] {
            #expect(service.get(path).header("Cache-Control") == "public, max-age=300", "\(path)")
        }
        let leaves = service.get("/places/leaves", query: [("bbox", "-180,-85,180,85")])
        #expect(leaves.header("Cache-Control") == "public, max-age=300")
    }

    @Test func `a document is packed from a thousand bytes on, with a tag of its own`() throws {
        let service = try Self.folder.get().service()
        let plain = service.get("/places/style.json")
        let packed = service.get("/places/style.json") { $0.acceptEncoding = "gzip" }
        #expect(plain.bytes.count > 1_000 && packed.bytes.count < plain.bytes.count)
        #expect(packed.header("Content-Encoding") == "gzip" && packed.tag != plain.tag)
        #expect(packed.tag?.mark == plain.tag?.mark)
        let short = service.get("/health") { $0.acceptEncoding = "gzip" }
        #expect(short.header("Content-Encoding") == nil)
        #expect(short.header("Cache-Control") == "no-store")
    }
}
