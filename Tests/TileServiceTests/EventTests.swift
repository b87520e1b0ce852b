import Foundation
import Geometry
import HTTP
import JSON
import Testing
import TileArchive

@testable import TileService

/// What clients hear of archives that change while they are looked at.
struct EventTests {
    /// An answer's lines by their names.
    private func event(_ response: Response) -> [String: String] {
        let lines = response.text.split(separator: "\n").map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        return Dictionary(uniqueKeysWithValues: lines)
    }

    private func tiles(of path: String) throws -> [TileID: [UInt8]] {
        var scan = try Archive(path: path).scan()
        var tiles: [TileID: [UInt8]] = [:]
        while let tile = try scan.next() {
            tiles[tile] = scan.bytes.indices.map { scan.bytes[$0] }
        }
        return tiles
    }

    @Test(arguments: ["a.mbtiles", "a.pmtiles", "a/"])
    func `a client hears once which tiles are others`(name: String) throws {
        let folder = try SampleFolder()
        try folder.build(name, points: 300)
        let service = folder.service()
        let first = event(service.get("/a/events"))
        #expect(first["event"] == "current" && first["data"] == "{}" && first["retry"] == "1000")
        let version = try #require(first["id"])
        service.followChanges()
        let before = try tiles(of: folder.file(name))

        // Nothing has changed.
        let same = event(service.get("/a/events") { $0.lastEventID = version })
        #expect(same == ["retry": "1000"])

        var points = SamplePoint.random(300, seed: 1)
        points[17] = SamplePoint(id: 18, longitude: 1, latitude: 2, value: 3, kind: "inn")
        try folder.build(name, of: points)
        service.refresh()
        // It is compared first; until then nothing is said.
        #expect(event(service.get("/a/events") { $0.lastEventID = version }) == ["retry": "1000"])
        service.followChanges()
        let news = event(service.get("/a/events") { $0.lastEventID = version })
        #expect(news["event"] == "replaced" && news["id"] != version)
        let after = try tiles(of: folder.file(name))
        let differ = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
        let told = try JSONNode(JSONValue(parsing: news["data"] ?? "")).required("tiles").value
        #expect(told == .array(differ.sorted().map { .string("\($0)") }))
        #expect(!differ.isEmpty && differ.count < before.count / 2)

        let done = event(service.get("/a/events", query: [("since", news["id"] ?? "")]))
        #expect(done == ["retry": "1000"])
        #expect(
            event(service.get("/a/events") { $0.lastEventID = "of another run" })["data"]
                == #"{"tiles":null}"#)
    }

    @Test func `a client that was away hears of all changes together`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", of: [SamplePoint.random(1, seed: 1)[0]])
        let service = folder.service()
        let version = event(service.get("/a/events"))["id"]
        service.followChanges()
        var states = [try tiles(of: folder.file("a.mbtiles"))]
        for seed in UInt64(2)...4 {
            try folder.build("a.mbtiles", of: SamplePoint.random(Int(seed) * 20, seed: seed))
            service.refresh()
            service.followChanges()
            states.append(try tiles(of: folder.file("a.mbtiles")))
        }
        var differ: Set<TileID> = []
        for (before, after) in zip(states, states.dropFirst()) {
            differ.formUnion(Set(before.keys).union(after.keys).filter { before[$0] != after[$0] })
        }
        let news = event(service.get("/a/events") { $0.lastEventID = version })
        #expect(
            news["data"]
                == JSONValue.object(["tiles": .array(differ.sorted().map { .string("\($0)") })])
                .text())
    }

    @Test func `of many tiles none is named`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 2_000, seed: 1)
        let service = folder.service()
        let version = event(service.get("/a/events"))["id"]
        service.followChanges()
        try folder.build("a.mbtiles", points: 2_000, seed: 2)
        service.refresh()
        service.followChanges()
        #expect(
            event(service.get("/a/events") { $0.lastEventID = version })["data"]
                == #"{"tiles":null}"#)
    }

    @Test func `archives that may change are asked for again, and say where to listen`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 50)
        var path = ServedPath(path: folder.file("a.mbtiles"))
        path.isLiving = true
        let living = TileService(serving: [path])
        let still = folder.service()
        for (service, cached) in [(living, "no-cache"), (still, "public, max-age=300")] {
            for route in ["/a/0/0/0", "/a/8/0/0", "/a/leaves?bbox=-180,-85,180,85"] {
                let parts = route.split(separator: "?")
                let query = parts.count > 1 ? [("bbox", "-180,-85,180,85")] : []
                let response = service.get(String(parts[0]), query: query)
                #expect(response.header("Cache-Control") == cached, "\(route)")
            }
            let path = Array("/a/0/0/0".utf8)
            let quick = service.quickAnswer(
                path: path.span, acceptEncoding: Array("gzip".utf8).span)
            #expect(quick?.header("Cache-Control") == cached)
        }
        #expect(try living.json("/a").value.asObject?["events"] == "http://example.org/a/events")
        #expect(try still.json("/a").value.asObject?["events"] == nil)
        var options = ServiceOptions()
        options.cacheControl = "max-age=7"
        let told = TileService(serving: [path], options: options)
        #expect(told.get("/a/0/0/0").header("Cache-Control") == "max-age=7")
    }

    @Test func `of more tiles than may be marked none is`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 20)
        let archive = try Archive(path: folder.file("a.mbtiles"))
        let numbers = try archive.scanNumbers()
        var count = 0
        while try numbers.next() != nil { count += 1 }
        #expect(try TileMarks(of: archive, upTo: count)?.count == count)
        #expect(try TileMarks(of: archive, upTo: count - 1) == nil)
    }

    @Test func `there are no events of what is not there`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 50)
        #expect(folder.service().get("/b/events").status == .notFound)
    }
}
