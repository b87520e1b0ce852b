import Foundation
import JSON
import TileArchive
import TileService
import Testing

/// What is written beside the tiles of a folder, and the addresses in it.
struct StaticSiteTests {
    private static let folder = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        try folder.build(
            "places/", of: SamplePoint.random(60, seed: 3), tiles: ["maxZoom": 2])
        for format in ["png", "jpeg", "jpg", "webp"] {
            try folder.writeForeign(
                "\(format).mbtiles", metadata: ["name": format, "format": format],
                tiles: [(0, 0, 0, [1, 2])])
        }
        return folder
    }

    /// The files by their names, and those that are documents.
    private static func site(_ name: String, at address: String?) throws -> [String: JSONNode] {
        let archive = try Archive(path: folder.get().file(name))
        let files = try StaticSite(name: name, address: address, mapLibre: .pinned)
            .files(of: archive)
        let documents = try files.map { file in
            let isDocument = file.path.hasSuffix(".json")
            let text = isDocument ? String(decoding: file.bytes, as: UTF8.self) : "null"
            return (file.path, JSONNode(try JSONValue(parsing: text)))
        }
        return Dictionary(uniqueKeysWithValues: documents)
    }

    @Test(arguments: [
        (nil, ""), ("https://a.example/map/", "https://a.example/map/"),
    ])
    func `documents say where the folder will be, or where things lie beside one another`(
        address: String?, start: String
    ) throws {
        let site = try Self.site("places", at: address)
        let tiles = try #require(site["tiles.json"])
        #expect(
            try tiles.required("tiles").elements.map { try $0.string }
                == [start + "{z}/{x}/{y}.pbf"])
        let style = try #require(site["style.json"])
        let source = try style.required("sources").required("places")
        #expect(try source.required("url").string == start + "tiles.json")
        #expect(
            try style.required("glyphs").string
                == start + "assets/fonts/{fontstack}/{range}.pbf")
        for name in ["index.html", "covey.js", "covey.global.js", "assets/preview.js"] {
            #expect(site[name] != nil, "\(name)")
        }
    }

    @Test(arguments: [("png", "png"), ("jpeg", "jpg"), ("jpg", "jpg"), ("webp", "webp")])
    func `pictures have a document, and no style and no page`(format: String, ending: String) throws
    {
        for (address, start) in [
            (nil, ""), ("https://a.example", "https://a.example/"), ("/map/", "/map/"),
            ("/m", "/m/"),
        ] {
            let site = try Self.site("\(format).mbtiles", at: address)
            #expect(Set(site.keys).subtracting(["assets/tiles.tree"]) == ["tiles.json"])
            let tiles = try #require(site["tiles.json"]).required("tiles").elements
            #expect(try tiles.map { try $0.string } == ["\(start){z}/{x}/{y}.\(ending)"])
        }
    }
}
