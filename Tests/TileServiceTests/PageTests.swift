import Foundation
import HTTP
import TileService
import Testing

struct PageTests {
    @Test func `the page allows nothing but itself`() throws {
        let folder = try SampleFolder()
        var options = ServiceOptions()
        options.mapLibre = try #require(MapLibreSource("https://cdn.example/maplibre"))
        let response = folder.service(options).get("/")
        let policy = try #require(response.header("Content-Security-Policy"))
        #expect(policy.hasPrefix("default-src 'none'; script-src 'self' https://cdn.example;"))
        #expect(!policy.contains("unsafe"))
        #expect(response.text.contains("https://cdn.example/maplibre/maplibre-gl.js"))
        #expect(response.text.contains(#"content="network""#))
        // A policy like this one stops inline scripts and styles; there may be none to stop.
        #expect(response.text.matches(of: /<script(?![^>]*src=)|style=|<style|onclick=/).isEmpty)
    }

    @Test func `MapLibre is served from a folder that has it`() throws {
        let folder = try SampleFolder()
        #expect(MapLibreSource(folder.path) == nil)
        try Data("script".utf8).write(to: URL(fileURLWithPath: folder.file("maplibre-gl.js")))
        try Data("sheet".utf8).write(to: URL(fileURLWithPath: folder.file("maplibre-gl.css")))
        var options = ServiceOptions()
        options.mapLibre = try #require(MapLibreSource(folder.path))
        #expect(options.mapLibre == .folder(folder.path))
        let service = folder.service(options)
        #expect(service.get("/").text.contains(#"src="/-/maplibre-gl.js""#))
        #expect(service.get("/-/maplibre-gl.js").text == "script")
        #expect(
            service.get("/-/maplibre-gl.css").header("Content-Type") == "text/css; charset=utf-8")
    }

    @Test(arguments: [
        "covey.js", "covey.global.js", "-/preview.js", "-/layers.js", "-/leaves.js", "-/map.js",
        "-/panel.js", "-/tile.js",
        "-/dom.js",
    ])
    func `a script is sent packed to those who can unpack it`(name: String) throws {
        let service = try SampleFolder().service()
        let plain = service.get("/\(name)")
        let packed = service.get("/\(name)") { $0.acceptEncoding = "gzip" }
        #expect(plain.header("Content-Type") == "text/javascript; charset=utf-8")
        #expect(
            packed.header("Content-Encoding") == "gzip" && packed.bytes.count < plain.bytes.count)
    }

    @Test func `metrics count what was asked`() throws {
        let service = try SampleFolder().service()
        for _ in 0..<3 { _ = service.get("/nothing/0/0/0") }
        let text = service.get("/metrics").text
        #expect(text.contains(#"covey_requests_total{kind="tile",status="404"} 3"#))
        #expect(text.contains(#"covey_request_seconds_count{kind="tile"} 3"#))
        #expect(text.contains("covey_archives 0"))
        #expect(text.contains("covey_connections 0"))
    }
}
