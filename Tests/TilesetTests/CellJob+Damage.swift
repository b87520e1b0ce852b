import Foundation
import Points
import Testing

@testable import Tileset

extension CellJob {
    /// Writes a file anew and says whether it is read; if not, it is to be damaged by its name.
    /// - Parameter write: may answer with a last block.
    func reads(
        _ path: String, _ write: (inout JobFileWriter) throws -> BlockSink?,
        _ read: () throws -> Void
    ) throws -> Bool {
        try? FileManager.default.removeItem(atPath: path)
        var writer = try self.write(path)
        if let tail = try write(&writer) {
            try writer.finish(tail: tail)
        } else {
            try writer.finish()
        }
        do {
            try read()
            return true
        } catch {
            #expect(error as? JobError == .damaged(path: path))
            return false
        }
    }
}
