import Foundation
import HTTP
import TileService
import Testing

/// What a small slip in the code would change.
struct SmallChangeTests {
    @Test func `problems are listed by id, whatever order the paths have`() throws {
        let folder = try SampleFolder()
        for name in ["z", "m", "a"] {
            try Data("rubbish".utf8).write(
                to: URL(fileURLWithPath: folder.file("\(name).mbtiles")))
        }
        let paths = ["z", "m", "a"].map { ServedPath(path: folder.file("\($0).mbtiles")) }
        let problems = TileService(serving: paths).summary.problems
        let files = ["a", "m", "z"].map { folder.file("\($0).mbtiles") }
        #expect(problems.map { String($0.prefix { $0 != ":" }) } == files)
    }

    @Test func `a category without known values has no colours`() throws {
        let folder = try SampleFolder()
        try folder.writeForeign(
            "a.mbtiles",
            metadata: [
                "name": "a", "format": "pbf", "minzoom": "0", "maxzoom": "0",
                "json": #"{"vector_layers":[{"id":"a","fields":{}}]}"#,
                "generator_options":
                    #"{"layers":[{"name":"a","clusters":{"aggregates":{"m":"mode:k"}}}]}"#,
            ], tiles: [(0, 0, 0, EdgeTests.tile(counting: 9))])
        let style = folder.service().get("/a/style.json").text
        #expect(style.contains("a-clusters") && !style.contains(#""match""#))
    }

    @Test(arguments: ["\tgzip", "gzip\t", " gzip", "gzip ", "\tgzip ", " gzip\t"])
    func `white space around an encoding does not count`(header: String) throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 20)
        let answer = folder.service().get("/a/0/0/0") { $0.acceptEncoding = header }
        #expect(answer.header("Content-Encoding") == "gzip")
    }

    @Test(arguments: ["\u{C}", "\u{9}", "\u{A}", "\u{D}", " "])
    func `any white space ends a tag's name, and no other character does`(space: String) {
        let link = "<a href=\"https://a\">y</a>"
        #expect(MarkupCleaner.clean("<a\(space)href='https://a'>y</a>") == link)
        #expect(MarkupCleaner.clean("<a\u{B}href='https://a'>y</a>") == "y")
    }

    @Test func `a damaged archive is followed to the one that replaces it`() throws {
        let folder = try SampleFolder()
        try folder.writeForeign(
            "a.mbtiles", metadata: ["name": "a", "format": "pbf"],
            tiles: [(0, 0, 0, Array("no tile at all".utf8))])
        let service = folder.service()
        #expect(service.get("/a/0/0/0").status == .internalServerError)
        try folder.build("b/a.mbtiles", points: 20)
        try FileManager.default.removeItem(atPath: folder.file("a.mbtiles"))
        try FileManager.default.moveItem(
            atPath: folder.file("b/a.mbtiles"), toPath: folder.file("a.mbtiles"))
        #expect(service.get("/a/0/0/0").status == .ok)
    }

    @Test(arguments: [(255, Status.ok), (256, .badRequest)])
    func `a host has 255 characters at most`(count: Int, status: Status) throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 20)
        let host = String(repeating: "a", count: count)
        #expect(folder.service().get("/a") { $0.host = host }.status == status)
    }
}
