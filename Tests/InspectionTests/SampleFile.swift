import Foundation
import SQLite
import Synchronization
import TileArchive

/// The sample archive in a folder of its own, which goes away with its owner.
final class SampleFile {
    let folder: URL
    let path: String
    let sample: SampleArchive

    private struct Kind: Hashable {
        var points: Int
        var seed: UInt64
    }

    /// Each is built once, and copied.
    private static let built = Mutex<[Kind: (sample: SampleArchive, bytes: Data)]>([:])

    init(points: Int = 1_500, seed: UInt64 = 7) throws {
        folder = FileManager.default.temporaryDirectory.appending(
            path: "covey-inspect-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "sample.mbtiles").path
        let file = URL(filePath: path)
        sample = try Self.built.withLock { built in
            let kind = Kind(points: points, seed: seed)
            if let (sample, bytes) = built[kind] {
                try bytes.write(to: file)
                return sample
            }
            let sample = SampleArchive(points: points, seed: seed)
            try sample.write(to: file.path)
            built[kind] = (sample, try Data(contentsOf: file))
            return sample
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var archive: Archive {
        get throws { try Archive(path: path) }
    }

    /// Damages the archive.
    func change(_ sql: String) throws {
        try Database(path: path, mode: .readWriteCreate).execute(sql)
    }

    /// A path in the folder.
    func sibling(_ name: String) -> String { folder.appending(path: name).path }
}
