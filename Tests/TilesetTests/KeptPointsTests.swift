import Foundation
import JSON
import Platform
import Points
import Recipes
import TestSupport
import Testing

@testable import Tileset

/// A file of kept points that is not the one that the archive was built of, or is made to mislead.
struct KeptPointsTests {
    /// A file of kept points with its blocks, as an archive has them; each has a sum of its own.
    private struct Blocks {
        var blocks: [[UInt8]]
        private let head: [UInt8]

        init(_ file: [UInt8]) throws {
            head = Array(file[..<JobFile.headSize])
            blocks = []
            var source = file[JobFile.headSize...]
            while true {
                var numbers = BlockSource(Array(source.prefix(16)))
                let length = try numbers.unsigned()
                guard length != JobFile.end else { return }
                blocks.append(Array(source.dropFirst(16).prefix(Int(length))))
                source = source.dropFirst(16 + Int(length))
            }
        }

        var file: [UInt8] {
            blocks.reduce(head) { $0 + Self.head($1.count, ByteSum.of($1.span)) + $1 }
                + Self.head(Int(bitPattern: UInt(JobFile.end)), UInt64(blocks.count))
        }

        private static func head(_ length: Int, _ sum: UInt64) -> [UInt8] {
            var sink = BlockSink()
            sink.write(length)
            sink.write(sum)
            return sink.bytes
        }
    }

    private func update(_ living: LivingPoints) throws {
        var request = UpdateRequest()
        request.deletions = [.number(0)]
        _ = try living.update(request)
    }

    @Test func `bytes that were changed with their sums are refused, and end nothing`() throws {
        let living = try LivingPoints.small(12)
        let path = living.path(living.keptFiles[0])
        let whole = try Blocks(#require(try File.contents(of: path, limit: 1 << 20)))
        #expect(try whole.file == File.contents(of: path, limit: 1 << 20))
        let archive = try living.contents(of: living.archive)
        var random = SeededRandom(seed: 5)
        // What is met first is told: two points may have one id by then.
        for _ in 0..<300 {
            var blocks = whole
            let place = Int(random.next() % UInt64(blocks.blocks[1].count))
            let byte = UInt8(truncatingIfNeeded: random.next())
            guard blocks.blocks[1][place] != byte else { continue }
            blocks.blocks[1][place] = byte
            try Data(blocks.file).write(to: URL(fileURLWithPath: path))
            #expect(throws: UpdateError.self, "\(byte) at \(place)") {
                try update(living)
            }
        }
        #expect(try living.contents(of: living.archive) == archive)
        try Data(whole.file).write(to: URL(fileURLWithPath: path))
        try update(living)
    }

    @Test func `the points of another archive under this one's name are refused`() throws {
        let (living, other) = (try LivingPoints.small(5), try LivingPoints.small(6))
        let path = living.path(living.keptFiles[0])
        let theirs = try Data(contentsOf: URL(fileURLWithPath: other.path(other.keptFiles[0])))
        try theirs.write(to: URL(fileURLWithPath: path))
        #expect(throws: UpdateError.damaged(file: path)) { try update(living) }
    }

    @Test func `points of a layer that no recipe knows, or in another order, are refused`() throws {
        let living = try LivingPoints.small()
        let path = living.path(living.keptFiles[0])
        let whole = try Blocks(#require(try File.contents(of: path, limit: 1 << 20)))
        for layer in [1, -1, Int.max] {
            var sink = BlockSink()
            sink.write(layer)
            for blocks in [
                whole.blocks + [sink.bytes + whole.blocks[1].dropFirst(8)],
                [whole.blocks[0], sink.bytes + whole.blocks[1].dropFirst(8), whole.blocks[1]],
            ] {
                var changed = whole
                changed.blocks = blocks
                try Data(changed.file).write(to: URL(fileURLWithPath: path))
                #expect(throws: UpdateError.damaged(file: path), "\(layer)") { try update(living) }
            }
        }
    }
}
