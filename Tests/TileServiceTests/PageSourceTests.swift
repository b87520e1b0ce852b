import Foundation
import Testing

@testable import TileService

/// The page's own files in the program: names and bytes are two lists in C, in one order.
struct PageSourceTests {
    @Test func `each file of the folder is in the program under its name`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Use/CPageData/web").standardized
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count > 30)
        for name in names {
            let file = try Data(contentsOf: folder.appending(path: name))
            #expect(PageSource.bytes(of: name) == Array(file), "\(name)")
        }
    }
}
