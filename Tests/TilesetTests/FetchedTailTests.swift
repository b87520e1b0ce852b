import Foundation
import Points
import Recipes
import Synchronization
import TestSupport
import Testing

@testable import Tileset

/// What is asked for of files of which the ends are read, and when a stage asks whether it is to stop.
struct FetchedTailTests {
    @Test func `of a file what stands in front is asked for, and its last block`() throws {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let asked = Mutex<[RemoteFiles.Piece]>([])
        let remote = RemoteFiles { pieces throws(JobError) in asked.withLock { $0 += pieces } }
        let job = try JobFolder(folder.path, remote: remote)
        for (name, count, tailCount) in [
            ("long", 300_000, 8), ("with a long tail", 90_000, 90_000), ("short", 100, 8),
        ] {
            let path = "\(folder.path)/\(name)"
            var writer = try JobFileWriter(path, job: "job")
            try writer.append([UInt8](repeating: 7, count: count))
            let start = writer.size
            var tail = BlockSink()
            for _ in 0..<tailCount / 8 { tail.write(5) }
            try writer.finish(tail: tail)
            let size = try Data(contentsOf: URL(filePath: path)).count
            asked.withLock { $0 = [] }
            try job.fetchTails(of: [path])
            let bytes = asked.withLock { $0.map(\.bytes) }
            // Nothing is asked for twice: behind the front and the end comes what is left of the last block.
            let front = 0..<min(4_096, size)
            let end = max(front.upperBound, size - 24)..<size
            let first = max(start, front.upperBound)
            let rest = first..<max(first, end.lowerBound)
            #expect(bytes == [front, end, rest].filter { !$0.isEmpty }, "\(name)")
            #expect(rest.isEmpty == (name == "short"))
        }
    }

    /// Gives no piece, and notes that it was asked.
    private final class Source: LeafSource {
        let isAsked = Mutex(false)

        func next() throws -> Int? {
            isAsked.withLock { $0 = true }
            return nil
        }

        func stretch(of piece: Int) -> LeafStretch { preconditionFailure("there is none") }
    }

    @Test func `a stage of leaves that is to stop asks for none`() throws {
        struct Stop: Error {}
        for isStopped in [true, false] {
            let source = Source()
            let stage = LeafStage(options: TileOptions(), keys: [], threads: 1) {
                if isStopped { throw Stop() }
            }
            do {
                try stage.forEachPiece(of: source, []) { _, _ in }
                #expect(!isStopped)
            } catch is Stop {
                #expect(isStopped)
            }
            #expect(source.isAsked.withLock(\.self) == !isStopped)
        }
    }
}
