import Foundation
import Synchronization
import Testing

@testable import TileService

struct CatalogChangeTests {
    @Test(arguments: [
        (CatalogChange.added("a"), "a: now served"), (.replaced("a"), "a: its new file is served"),
        (.removed("a"), "a: gone, and no longer served"), (.mended("a"), "a: well again"),
        (
            .refused("a", reason: "cut short", isStillServed: true),
            "a: still served as it was: cut short"
        ),
        (.refused("a", reason: "cut short", isStillServed: false), "a: not served: cut short"),
    ])
    func `a change is a line`(change: CatalogChange, line: String) {
        #expect(change.description == line)
    }
}

extension CatalogChangeTests {
    @Test func `what happens to files while they are served is told`() throws {
        let folder = try SampleFolder()
        try folder.build("a.mbtiles", points: 50)
        let told = Mutex([CatalogChange]())
        let service = TileService(
            serving: [ServedPath(path: folder.path)],
            notice: { change in told.withLock { $0.append(change) } })
        func look() -> [CatalogChange] {
            service.refresh()
            return told.withLock { changes in
                defer { changes = [] }
                return changes
            }
        }
        #expect(look() == [])
        try folder.build("b.mbtiles", points: 50)
        try folder.build("a.mbtiles", points: 60, seed: 2)
        #expect(look() == [.replaced("a"), .added("b")])
        let file = URL(filePath: folder.file("b.mbtiles"))
        let whole = try Data(contentsOf: file)
        try Data("rubbish".utf8).write(to: file, options: .atomic)
        #expect(
            look() == [.refused("b", reason: "it is not an SQLite database", isStillServed: true)])
        #expect(look() == [])
        try whole.write(to: file, options: .atomic)
        #expect(look() == [.replaced("b")])
        try FileManager.default.removeItem(at: file)
        #expect(look() == [.removed("b")])
    }
}
