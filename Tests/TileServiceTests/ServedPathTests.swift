import TestSupport
import Testing

@testable import TileService

/// Under which ids what is named on a line is served.
struct ServedPathTests {
    @Test(arguments: [
        ("https://x.org/d/p.mbtiles", "p"), ("https://x.org/d/e/p.pmtiles?k=v/w.mbtiles", "p"),
        ("https://x.org/p.pmtiles#d/q", "p"), ("http://x.org/d/p", "p"),
        ("https://x.org/d/.mbtiles", ".mbtiles"), ("/nowhere/d/p.mbtiles", "p"),
        ("/nowhere/p.q.pmtiles", "p.q"), ("nowhere.pmtiles", "nowhere"),
    ])
    func `an archive is called by the end of its path, without what follows and its ending`(
        path: String, id: String
    ) {
        let files = ServedPath(path: path).files()
        #expect(files.map(\.id) == [ArchiveID.unreserved(ArchiveID.id(forPath: id))])
        #expect(files.map(\.path) == [path] && files[0].folder == nil)
        #expect(ServedPath(path: path, id: "mine").ids == ["mine"])
        var living = ServedPath(path: path)
        living.isLiving = true
        #expect(living.files()[0].isLiving && !files[0].isLiving)
    }

    @Test func `a folder of tiles is called by its own name, however its path ends`() throws {
        let folder = try SampleFolder()
        try folder.build("deep/tiles/", points: 20)
        for end in ["", "/", "/.", "/./", "/../tiles", "/0/.."] {
            #expect(ServedPath(path: folder.file("deep/tiles\(end)")).ids == ["tiles"], "\(end)")
        }
    }

    @Test(
        arguments: [
            ("mine=/nowhere/a", "/nowhere/a", "mine"), ("mine=a=b", "a=b", "mine"),
            ("/nowhere/a=b", "/nowhere/a=b", nil), ("=a", "=a", nil), ("a", "a", nil),
        ] as [(String, String, String?)])
    func `an id stands before the path where it may be one`(
        argument: String, path: String, id: String?
    ) {
        #expect(ServedPath(argument: argument) == ServedPath(path: path, id: id))
    }
}
