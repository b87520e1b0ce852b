import Foundation
import HTTP
import JSON
import Recipes
import Testing
import TileArchive
import TileService
import Tileset

/// The files of a PMTiles archive, range by range.
struct FileTests {
    let folder: SampleFolder
    let service: TileService

    init() throws {
        folder = try SampleFolder()
        try folder.build("a.pmtiles", points: 300)
        service = folder.service()
    }

    private func get(
        _ path: String, range: String? = nil, ifRange: String? = nil, ifNoneMatch: String? = nil,
        _ method: Request.Method = .get
    ) -> Response {
        var headers = Request.Headers()
        (headers.range, headers.ifRange, headers.ifNoneMatch) = (range, ifRange, ifNoneMatch)
        return service.answer(Request(method, path, headers: headers))
    }

    @Test func `both files are given whole, with a tag`() throws {
        #expect(service.summary.ids == ["a"] && service.summary.problems == [])
        for name in ["a.pmtiles", "a.clusters.pmtiles"] {
            let response = get("/\(name)")
            let size = try Data(contentsOf: URL(filePath: folder.file(name))).count
            #expect(response.status == .ok && response.body?.count == size)
            #expect(response.value(of: "Accept-Ranges") == "bytes")
            #expect(response.value(of: "Content-Type") == "application/vnd.pmtiles")
            let tag = try #require(response.value(of: "ETag"))
            let known = get("/\(name)", ifNoneMatch: tag)
            // If a length is told, it must be that of the file (RFC 9110, 8.6).
            #expect(known.status == .notModified && known.body?.count == size)
            #expect(get("/\(name)", .head).body?.count == size)
        }
        #expect(get("/a.pmtiles").tag != get("/a.clusters.pmtiles").tag)
        #expect(get("/b.pmtiles").status == .notFound)
        #expect(get("/a.clusters.clusters.pmtiles").status == .notFound)
    }

    @Test func `clusters that come after their archive are taken up`() throws {
        let (clusters, away) = (folder.file("a.clusters.pmtiles"), folder.file("away"))
        func asked(_ service: TileService) -> Response {
            service.get(
                "/a/clusters/containing", query: [("lon", "0"), ("lat", "0"), ("zoom", "0")])
        }
        #expect(asked(service).status == .ok)
        try FileManager.default.moveItem(atPath: clusters, toPath: away)
        let late = folder.service()
        for _ in 0..<2 {
            #expect(asked(late).status == .notFound)
            let words = "no cluster index: its file of clusters: No such file"
            #expect(asked(late).text.contains(words), "\(asked(late).text)")
            late.refresh()
        }
        // One of another archive, then its own.
        try folder.build("b.pmtiles", points: 200)
        try FileManager.default.moveItem(
            atPath: folder.file("b.clusters.pmtiles"), toPath: clusters)
        late.refresh()
        #expect(asked(late).status == .notFound)
        try FileManager.default.removeItem(atPath: clusters)
        try FileManager.default.moveItem(atPath: away, toPath: clusters)
        late.refresh()
        #expect(asked(late).status == .ok)
    }

    @Test func `copies have the same tags, whatever their permissions are`() throws {
        let copies = try SampleFolder()
        for name in ["a.pmtiles", "a.clusters.pmtiles"] {
            try FileManager.default.copyItem(
                atPath: folder.file(name), toPath: copies.file(name))
            let status = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            let date = try #require(status[.modificationDate])
            try FileManager.default.setAttributes(
                [.modificationDate: date, .posixPermissions: 0o400],
                ofItemAtPath: copies.file(name))
        }
        let other = copies.service()
        for name in ["a.pmtiles", "a.clusters.pmtiles"] {
            #expect(get("/\(name)").tag == other.get("/\(name)").tag)
        }
        // Another archive has others, even where size and time are the same.
        try folder.build("a.pmtiles", points: 300, seed: 2)
        service.refresh()
        #expect(get("/a.pmtiles").tag != other.get("/a.pmtiles").tag)
    }

    @Test func `files whose points are kept are asked for again each time, as tiles are`() throws {
        let input = folder.file("k.csv")
        try Data("lon,lat\n1,2\n3,4\n".utf8).write(to: URL(filePath: input))
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "k", "sources": [.string(input)]]]]))
        var options = BuildOptions()
        options.keepsPoints = true
        _ = try TilesetBuild(
            recipe, to: folder.file("k.pmtiles"), in: PMTiles.self, options: options
        ).run()
        service.refresh()
        for path in ["/k/0/0/0", "/k.pmtiles", "/k.clusters.pmtiles"] {
            #expect(get(path).value(of: "Cache-Control") == "no-cache")
        }
        #expect(get("/a.pmtiles").value(of: "Cache-Control") != "no-cache")
    }

    @Test func `a range is a part, and one that is not there is refused`() throws {
        let size = try Data(contentsOf: URL(filePath: folder.file("a.pmtiles"))).count
        let part = get("/a.pmtiles", range: "bytes=10-19")
        #expect(part.status == .partialContent && part.body?.count == 10)
        #expect(part.value(of: "Content-Range") == "bytes 10-19/\(size)")
        #expect(part.value(of: "Access-Control-Expose-Headers") == "ETag, Content-Range")
        let beyond = get("/a.pmtiles", range: "bytes=\(size)-")
        #expect(beyond.status == .rangeNotSatisfiable && beyond.body == nil)
        #expect(beyond.value(of: "Content-Range") == "bytes */\(size)")
        #expect(get("/a.pmtiles", range: "bytes=0-1,5-6").status == .ok)
        #expect(get("/a.pmtiles", range: "bytes=0-1", .head).status == .ok)
    }

    @Test func `a part of another state of the file is not given`() throws {
        let tag = try #require(get("/a.pmtiles").value(of: "ETag"))
        #expect(get("/a.pmtiles", range: "bytes=0-1", ifRange: tag).status == .partialContent)
        #expect(get("/a.pmtiles", range: "bytes=0-1", ifRange: "\"other\"").status == .ok)
        try folder.build("a.pmtiles", points: 200, seed: 2)
        service.refresh()
        #expect(get("/a.pmtiles", range: "bytes=0-1", ifRange: tag).status == .ok)
    }

    @Test func `tiles and clusters of such an archive are answered like any other's`() throws {
        try folder.build("b.mbtiles", points: 300)
        service.refresh()
        #expect(get("/a/0/0/0").tag == get("/b/0/0/0").tag)
        let box = [("bbox", "-180,-85,180,85"), ("limit", "500")]
        let center = [("lon", "0"), ("lat", "0"), ("zoom", "0")]
        for (path, query) in [("leaves", box), ("clusters/containing", center)] {
            let (ours, other) = (
                service.get("/a/\(path)", query: query), service.get("/b/\(path)", query: query)
            )
            #expect(ours.status == other.status && ours.text == other.text)
        }
        #expect(service.get("/a/leaves", query: box).status == .ok)
        #expect(get("/b.pmtiles").status == .notFound)
    }
}
