import Foundation
import Points
import TestSupport
import Testing

@testable import Tileset

/// The files of a job, byte for byte.
struct JobFileTests {
    private let url: URL
    private let folder: JobFolder
    private let path: String

    init() throws {
        url = try TemporaryFolder.make()
        folder = try JobFolder(url.path)
        path = url.appending(path: "file").path
    }

    private static let blocks: [[UInt8]] = [[1, 2, 3], [], Array(repeating: 9, count: 40)]

    private func write(job: String = "j", version: UInt32 = JobFile.version) throws -> [UInt8] {
        var writer = try JobFileWriter(path, job: job, version: version)
        for block in Self.blocks { try writer.append(block) }
        var tail = BlockSink()
        tail.write("tail")
        try writer.finish(tail: tail)
        return try Array(Data(contentsOf: URL(filePath: path)))
    }

    private func blocks(job: String = "j") throws -> [[UInt8]] {
        var reader = try JobFileReader(path, in: folder, job: job)
        var blocks: [[UInt8]] = []
        while let block = try reader.next() { blocks.append(block) }
        #expect(try reader.next() == nil)
        return blocks
    }

    private func put(_ bytes: some Sequence<UInt8>) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test func `blocks come back, and the last is found from the end`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        _ = try write()
        let read = try blocks()
        #expect(Array(read.prefix(3)) == Self.blocks && read.count == 4)
        let reader = try JobFileReader(path, in: folder, job: "j")
        let tail = try reader.decodeTail { (tail) throws(BlockSource.Damaged) in try tail.text() }
        #expect(tail == "tail")
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["file"])
    }

    @Test func `a file of another job, of another version or of nothing is told apart`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        _ = try write(job: "other")
        #expect(throws: JobError.otherJob(path: path)) { try blocks() }
        _ = try write(version: JobFile.version + 1)
        #expect(throws: JobError.otherVersion(path: path)) { try blocks() }
        for bytes in [[], Array("covey cells\n".utf8), Array("no file of a job, but long".utf8)] {
            try put(bytes)
            #expect(throws: JobError.damaged(path: path)) { try blocks() }
        }
        try FileManager.default.removeItem(atPath: path)
        guard
            case .cannotRead(path, _)? = #expect(
                throws: JobError.self, performing: { try blocks() })
        else {
            Issue.record("a file that is not there was read")
            return
        }
    }

    @Test func `no byte may change, and none may lack`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let whole = try write()
        for index in whole.indices {
            var bytes = whole
            bytes[index] ^= 4
            try put(bytes)
            let version = 12..<16
            let expected: JobError =
                version.contains(index) ? .otherVersion(path: path) : .damaged(path: path)
            #expect(throws: expected, "byte \(index)") { try blocks() }
        }
        for count in whole.indices {
            try put(whole.prefix(count))
            #expect(throws: JobError.damaged(path: path), "\(count) bytes") { try blocks() }
        }
    }

    @Test func `where the last block begins is within the file`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        for (start, found) in [(15, nil), (16, 16), (99, 99), (100, nil), (-1, nil)]
            as [(Int, Int?)]
        {
            var sink = BlockSink()
            sink.write(start)
            #expect(JobFileReader.startOfTail(sink.bytes, size: 100) == found)
        }
        #expect(JobFileReader.startOfTail([1, 2, 3], size: 100) == nil)
        #expect(JobFile.placeOfTail(100) == 76..<84)
        // One without a block behind the first has none that is found from the end.
        let short = try JobFileWriter(path, job: "j").size + 16
        var writer = try JobFileWriter(path, job: "j")
        try writer.finish()
        #expect(try Data(contentsOf: URL(filePath: path)).count == short)
        let reader = try JobFileReader(path, in: folder, job: "j")
        #expect(throws: JobError.damaged(path: path)) { try reader.decodeTail { _ in } }
    }

    @Test func `a stream comes back in any stretch, whatever pieces it was written in`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        var random = SeededRandom(seed: 4)
        for count in [0, 1, 32_767, 32_768, 32_769, 100_000] {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            var writer = try JobFileWriter(path, job: "j")
            var stream = JobStreamWriter(in: writer)
            var next = 0
            while next < count {
                let end = min(next + [1, 300, 32_768, 70_000][Int(random.next() % 4)], count)
                try stream.append(bytes[next..<end].span, to: &writer)
                next = end
            }
            let laid = try stream.finish(&writer)
            try writer.finish()
            #expect(laid.count == count)
            let reader = try JobFileReader(path, in: folder, job: "j")
            for _ in 0..<10 {
                let start = Int.random(in: 0...count, using: &random)
                let end = Int.random(in: start...count, using: &random)
                #expect(try laid.bytes(start..<end, in: reader) == bytes[start..<end])
            }
            guard count > 0 else { continue }
            try checkDamage(of: laid, using: &random)
        }
    }

    /// That a byte which has changed is noticed by who reads its block, and by no other.
    private func checkDamage(
        of laid: JobStream, using random: inout SeededRandom
    ) throws {
        let whole = try Array(Data(contentsOf: URL(filePath: path)))
        for _ in 0..<6 {
            let at = Int.random(in: laid.place(of: 0..<laid.count), using: &random)
            var broken = whole
            broken[at] ^= 1
            try put(broken)
            let reader = try JobFileReader(path, in: folder, job: "j")
            #expect(throws: JobError.damaged(path: path)) {
                _ = try laid.bytes(0..<laid.count, in: reader)
            }
            let block = (at - laid.start) / (JobStream.blockSize + 16)
            let others = [block - 1, block + 1].map { $0 * JobStream.blockSize }
            for start in others where (0..<laid.count).contains(start) {
                #expect(try laid.bytes(start..<start + 1, in: reader).count == 1)
            }
        }
        try put(whole.prefix(laid.place(of: 0..<laid.count).upperBound - 1))
        let reader = try JobFileReader(path, in: folder, job: "j")
        #expect(throws: JobError.damaged(path: path)) {
            _ = try laid.bytes(0..<laid.count, in: reader)
        }
    }
}
