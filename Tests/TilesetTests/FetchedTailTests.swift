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
        for (name, count) in [("long", 9_000), ("short", 100)] {
            let path = "\(folder.path)/\(name)"
            var writer = try JobFileWriter(path, job: "job")
            try writer.append([UInt8](repeating: 7, count: count))
            let start = writer.size
            var tail = BlockSink()
            tail.write(5)
            try writer.finish(tail: tail)
            let size = try Data(contentsOf: URL(filePath: path)).count
            asked.withLock { $0 = [] }
            try job.fetchTails(of: [path])
            let bytes = asked.withLock { $0.map(\.bytes) }
            // Nothing is asked for twice: behind the front and the place of the last block comes the rest.
            let place = JobFile.placeOfTail(size)
            let front = 0..<min(4_096, size)
            #expect(bytes.first == front, "\(name)")
            let all = bytes.compactMap(\.self).reduce(into: IndexSet()) {
                $0.insert(integersIn: $1)
            }
            let wanted = [front, place, start..<size].reduce(into: IndexSet()) {
                $0.insert(integersIn: $1)
            }
            #expect(all == wanted && bytes.allSatisfy { $0 != nil }, "\(name)")
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
