import Foundation
import HTTP
import TileArchive
import TileService
import Testing

/// Symbolic links in a folder that is served.
struct LinkTests {
    let inside: SampleFolder
    let outside: SampleFolder

    init() throws {
        (inside, outside) = (try SampleFolder(), try SampleFolder())
        try outside.build("secret.mbtiles", points: 20)
        try outside.build("other.pmtiles", points: 20)
        try inside.build("deep/own.mbtiles", points: 20)
        try inside.build("a.pmtiles", points: 20)
    }

    private func link(_ name: String, to path: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: inside.file(name), withDestinationPath: path)
    }

    private func service(following: Bool = false) -> TileService {
        var path = ServedPath(path: inside.path)
        path.followsLinks = following
        return TileService(serving: [path])
    }

    @Test func `a link out of the folder is a problem, unless links are to be followed`() throws {
        try link("b.mbtiles", to: outside.file("secret.mbtiles"))
        try link("c.pmtiles", to: outside.file("other.pmtiles"))
        try link("d.mbtiles", to: "deep/own.mbtiles")
        let service = service()
        #expect(service.summary.ids == ["a", "d", "deep~own"])
        #expect(service.summary.problems.count == 2)
        for problem in service.summary.problems {
            #expect(problem.contains("outside of the folder") && problem.contains("--follow-links"))
        }
        #expect(service.get("/b/0/0/0").status == .notFound)
        #expect(service.get("/c.pmtiles").status == .notFound)
        let following = self.service(following: true)
        #expect(following.summary.ids == ["a", "b", "c", "d", "deep~own"])
        #expect(following.get("/b/0/0/0").status == .ok)
    }

    @Test func `a link that was named itself is followed, and so is one to the folder`() throws {
        try link("b.mbtiles", to: outside.file("secret.mbtiles"))
        let named = TileService(serving: [ServedPath(path: inside.file("b.mbtiles"))])
        #expect(named.summary.ids == ["b"] && named.summary.problems == [])
        try FileManager.default.createSymbolicLink(
            atPath: outside.file("folder"), withDestinationPath: inside.file("deep"))
        let folder = TileService(serving: [ServedPath(path: outside.file("folder"))])
        #expect(folder.summary.ids == ["own"])
    }

    @Test func `the file of clusters may not lie outside either`() throws {
        let side = inside.file("a.clusters.pmtiles")
        try FileManager.default.moveItem(atPath: side, toPath: outside.file("side"))
        try link("a.clusters.pmtiles", to: outside.file("side"))
        #expect(service().summary.ids == ["deep~own"])
        #expect(service(following: true).summary.ids == ["a", "deep~own"])
    }

    @Test(arguments: ["a.pmtiles", "a.clusters.pmtiles"])
    func `a file that becomes a link while it is served is not given, but the former one`(
        name: String
    ) throws {
        let service = service()
        let former = service.get("/\(name)")
        #expect(former.status == .ok)
        try Data("secret".utf8).write(to: URL(filePath: outside.file("passwords")))
        try FileManager.default.removeItem(atPath: inside.file(name))
        try link(name, to: outside.file("passwords"))
        for _ in 0..<2 {
            #expect(service.get("/\(name)").header("ETag") == former.header("ETag"))
            service.refresh()
        }
    }
}
