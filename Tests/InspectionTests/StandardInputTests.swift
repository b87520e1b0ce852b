import Foundation
import Inspection
import MessageTiles
import Testing
import VectorTile

/// A tile on standard input, which is told by a path of `-`.
struct StandardInputTests {
    /// In a process of its own, whose standard input and folder are its own too.
    @Test func `a dash is standard input, also where a folder has that name`() async {
        await #expect(processExitsWith: .success) {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "covey-dash-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(
                at: folder.appending(path: "-"), withIntermediateDirectories: true)
            try #require(chdir(folder.path) == 0)
            let tile = MessageTiles.Tile(layers: [.init(name: "l")]).packed()
            let pipe = Pipe()
            try pipe.fileHandleForWriting.write(contentsOf: tile)
            try pipe.fileHandleForWriting.close()
            try #require(dup2(pipe.fileHandleForReading.fileDescriptor, 0) == 0)
            guard case .tile(let loose) = try Subject(path: "-") else { exit(1) }
            try #require(loose.stored == tile && loose.path == "-")
        }
    }
}
