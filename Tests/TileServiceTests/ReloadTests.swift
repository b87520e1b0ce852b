import Foundation
import HTTP
import SQLite
import TileService
import Testing

struct ReloadTests {
    @Test func `archives that come, change and go are taken up`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 50)
        let service = folder.service()
        #expect(service.summary.ids == ["a"])
        let before = service.get("/a/0/0/0").header("ETag")
        #expect(service.get("/b").status == .notFound)

        try folder.build("b.mbtiles", points: 50)
        try folder.build("a.mbtiles", points: 60, seed: 2)
        service.refresh()
        #expect(service.summary.ids == ["a", "b"])
        #expect(service.get("/a/0/0/0").header("ETag") != before)

        try FileManager.default.removeItem(atPath: folder.file("a.mbtiles"))
        service.refresh()
        #expect(service.summary.ids == ["b"])
        #expect(service.get("/a/0/0/0").status == .notFound)
    }

    @Test func `an archive that is replaced by rubbish is served as it was`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 50)
        let service = folder.service()
        let before = service.get("/a/0/0/0").header("ETag")
        try Data("rubbish".utf8).write(
            to: URL(fileURLWithPath: folder.file("a.mbtiles")), options: .atomic)
        service.refresh()
        #expect(service.summary.problems.count == 1)
        #expect(service.get("/a/0/0/0").header("ETag") == before)
        #expect(service.get("/catalog").text.contains("not an SQLite database"))
    }

    /// No connection to them was open before.
    @Test func `all questions about replaced archives are answered from the former files`() throws {
        let folder = try SampleFolder()
        let questions = [
            "/m/0/0/0", "/m/3/4/2", "/p/0/0/0", "/p/3/4/2", "/p.pmtiles", "/p.clusters.pmtiles",
        ]
        let box = [("bbox", "-180,-85,180,85"), ("limit", "500")]
        func answers(_ service: TileService) -> [String] {
            questions.map {
                "\(service.get($0).status.rawValue) \(service.get($0).header("ETag") ?? "")"
            }
                + ["m", "p"].map { service.get("/\($0)/leaves", query: box).text }
        }
        for name in ["m.mbtiles", "p.pmtiles"] { try folder.build(name, points: 300) }
        let expected = answers(folder.service())
        let service = folder.service()
        for name in ["m.mbtiles", "p.pmtiles", "p.clusters.pmtiles"] {
            let path = folder.file(name)
            let start = try Data(contentsOf: URL(filePath: path)).prefix(9_000)
            try start.write(to: URL(filePath: path), options: .atomic)
        }
        service.refresh()
        #expect(service.summary.problems.count == 2)
        #expect(answers(service) == expected)
        #expect(expected[0].hasPrefix("200 ") && expected[4].hasPrefix("200 "))
    }

    /// Here by a link to itself, as root may read all that is there.
    @Test func `archives of a folder that cannot be looked into are served as they were`() throws {
        let folder = try SampleFolder()
        try folder.build("e/a.mbtiles", points: 50)
        let service = TileService(serving: [ServedPath(path: folder.file("e"))])
        let before = service.get("/a/0/0/0").header("ETag")
        try FileManager.default.moveItem(atPath: folder.file("e"), toPath: folder.file("aside"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("e"), withDestinationPath: "e")
        service.refresh()
        #expect(service.summary.ids == ["a"] && before != nil)
        #expect(service.summary.problems.contains { $0.contains("Too many levels") })
        #expect(service.get("/a/0/0/0").header("ETag") == before)
        try FileManager.default.removeItem(atPath: folder.file("e"))
        service.refresh()
        #expect(service.summary.ids.isEmpty)
    }

    @Test(.enabled(if: geteuid() != 0))
    func `a folder that may not be read is a problem, and not empty`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 50)
        try folder.build("sub/b.mbtiles", points: 50)
        let closed = folder.file("sub")
        func allow(_ mode: Int) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: closed)
        }
        let service = folder.service()
        try allow(0)
        defer { try? allow(0o700) }
        service.refresh()
        #expect(service.summary.ids == ["a", "sub~b"])
        #expect(folder.service().summary.ids == ["a"])
        #expect(folder.service().summary.problems.count == 1)
    }

    @Test func `changes that wait in a log are seen`() throws {
        let folder = try SampleFolder()
        try folder.writeForeign(
            "w.mbtiles", metadata: ["name": "old", "format": "pbf"], tiles: [(0, 0, 0, [1])])
        let writer = try Database(path: folder.file("w.mbtiles"), mode: .readWrite)
        _ = try writer.text("PRAGMA journal_mode = wal")
        let service = folder.service()
        #expect(service.get("/w").text.contains("\"old\""))
        try writer.execute("UPDATE metadata SET value = 'new' WHERE name = 'name'")
        service.refresh()
        #expect(service.get("/w").text.contains("\"new\""))
    }

    @Test func `an archive that is cut short while it is served fails politely`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 2_000)
        try folder.build("b.mbtiles", points: 50)
        let service = folder.service()
        #expect(service.get("/a/0/0/0").status == .ok)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("a.mbtiles")))
        try file.truncate(atOffset: 5_000)
        for _ in 0..<2 {
            let statuses = (0..<4).flatMap { y in
                (0..<4).map { x in service.get("/a/2/\(x)/\(y)").status.rawValue }
            }
            #expect(statuses.allSatisfy { [200, 204, 500, 503].contains($0) })
            #expect(statuses.contains { $0 >= 500 })
            #expect(service.get("/b/0/0/0").status == .ok)
            service.refresh()
        }
        #expect(service.summary.problems.count == 1)
    }

    @Test func `a refresh without changes keeps what is open`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 50)
        let service = folder.service()
        let before = service.get("/a").text
        for _ in 0..<3 { service.refresh() }
        #expect(service.get("/a").text == before)
    }

    @Test func `requests never fail while archives are replaced`() async throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 100)
        try folder.build("spare/a.mbtiles", points: 100, seed: 2)
        let service = folder.service()
        let failures = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<3 {
                group.addTask {
                    (0..<100).map { _ in service.get("/a/0/0/0") }.filter { $0.status != .ok }
                        .map(\.text)
                }
            }
            group.addTask {
                for _ in 0..<20 {
                    Self.swap(folder.file("a.mbtiles"), folder.file("spare/a.mbtiles"))
                    service.refresh()
                }
                return []
            }
            return await group.reduce([], +)
        }
        #expect(failures == [])
    }

    /// Puts a copy of `other` over `path`, whole by rename.
    static func swap(_ path: String, _ other: String) {
        let new = path + ".new"
        try? FileManager.default.copyItem(atPath: other, toPath: new)
        rename(new, path)
    }

    @Test func `paths that users name have the ids that users give`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 20)
        try folder.build("x/catalog.mbtiles", points: 20)
        let paths = [
            ServedPath(argument: "cafés=\(folder.file("a.mbtiles"))"),
            ServedPath(argument: "mine=\(folder.file("a.mbtiles"))"),
            ServedPath(argument: folder.file("x")),
            ServedPath(argument: "more=\(folder.file("x"))"),
        ]
        let summary = TileService(serving: paths).summary
        // `cafés` is no id, so the first is a path that does not exist.
        #expect(summary.ids == ["catalog=", "mine", "more~catalog"])
        #expect(summary.problems.count == 1)
    }

    @Test func `links to folders are not followed, hidden files are none`() throws {
        let folder = try SampleFolder()
        try folder.build("deep/far.mbtiles", points: 20)
        try folder.build(".half.mbtiles", points: 20)
        let manager = FileManager.default
        try manager.createSymbolicLink(
            atPath: folder.file("near.mbtiles"), withDestinationPath: "deep/far.mbtiles")
        try manager.createSymbolicLink(
            atPath: folder.file("round"), withDestinationPath: folder.path)
        #expect(folder.service().summary.ids == ["deep~far", "near"])
    }
}
