import Foundation
import JSON
import Points
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// Files of a job whose bytes are whole, but whose numbers cannot be.
struct DamagedIndexTests {
    /// What the file of a task's blocks says of them: the front of its last block.
    private struct Tail {
        var stream: [Int]
        var blocks: [(bytes: Int, leaves: Int, hull: [[Int]], sum: String)]
        var large: [(blocks: [Int], zoom: UInt8, rest: [Int])]
        var unfinished: [Int]
        /// What is known of leaves and clusters.
        var known: ArraySlice<UInt8> = []

        init(_ bytes: [UInt8]) throws {
            var source = BlockSource(bytes)
            stream = [try source.int(), try source.int()]
            blocks = try source.array { (source) throws(BlockSource.Damaged) in
                let (size, leaves) = (try source.int(), try source.int())
                let hull = try source.array { (source) throws(BlockSource.Damaged) in
                    [try source.int(), try source.int()]
                }
                return (size, leaves, hull, try source.text())
            }
            large = try source.array { (source) throws(BlockSource.Damaged) in
                let blocks = [try source.int(), try source.int()]
                let zoom = try source.byte()
                return (blocks, zoom, [try source.int(), try source.int(), try source.int()])
            }
            unfinished = try .init(from: &source)
            known = bytes[sink.bytes.count...]
        }

        var sink: BlockSink {
            var sink = BlockSink()
            for number in stream { sink.write(number) }
            sink.write(blocks) { sink, block in
                sink.write(block.bytes)
                sink.write(block.leaves)
                sink.write(block.hull) { sink, corner in for number in corner { sink.write(number) }
                }
                sink.write(block.sum)
            }
            sink.write(large) { sink, cluster in
                for number in cluster.blocks { sink.write(number) }
                sink.write(byte: cluster.zoom)
                for number in cluster.rest { sink.write(number) }
            }
            sink.write(unfinished)
            for byte in known { sink.write(byte: byte) }
            return sink
        }

        mutating func add(large blocks: Int...) { large.append((blocks, 1, [0, 0, 0])) }
    }

    private typealias Change = @Sendable (inout Tail) -> Void

    private static let changes: [(name: String, change: Change, isRead: Bool)] = [
        ("as it was", { _ in }, true),
        ("more bytes than blocks", { $0.stream[1] += 1 }, false),
        ("fewer bytes than blocks", { $0.blocks[0].bytes += 1 }, false),
        (
            "a block of less than nothing",
            { tail in
                tail.blocks.append(tail.blocks[0])
                tail.blocks[0].bytes += 1
                tail.blocks[1].bytes = -1
            }, false
        ),
        ("fewer leaves than none", { $0.blocks[0].leaves = -1 }, false),
        ("a corner too far east", { $0.blocks[0].hull[0][0] = 1 << 31 }, false),
        ("a corner too far north", { $0.blocks[0].hull[0][1] = -1 - 1 << 31 }, false),
        ("a cluster of all blocks", { $0.add(large: 0, 1) }, true),
        ("a cluster of more blocks", { $0.add(large: 0, 2) }, false),
        ("a cluster before the first block", { $0.add(large: -1, 1) }, false),
        ("a cluster that ends before it begins", { $0.add(large: 1, 0) }, false),
        ("none of the clusters goes on", { $0.unfinished = [0] }, false),
        (
            "a cluster that goes on",
            { tail in
                tail.add(large: 0, 1)
                tail.unfinished = [0]
            }, true
        ),
        (
            "another cluster than there is",
            { tail in
                tail.add(large: 0, 1)
                tail.unfinished = [1]
            }, false
        ),
    ]

    private static func builds() throws -> CellBuildTests.Builds {
        try CellBuildTests.Builds(
            [(SamplePoint.towns(20, seed: 7), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 1])
    }

    /// The last block of a file, without what says where it begins.
    private static func tail(of path: String, _ job: CellJob) throws -> [UInt8] {
        let size = try Data(contentsOf: URL(filePath: path)).count
        var (reader, _) = try job.read(path)
        let place = try reader.bytes(JobFile.placeOfTail(size))
        reader.seek(to: try #require(JobFileReader.startOfTail(place, size: size)))
        return try #require(try reader.next()).dropLast(8)
    }

    @Test func `numbers of blocks that cannot be are refused`() throws {
        let builds = try Self.builds()
        defer { withExtendedLifetime(builds) {} }
        let cells = try builds.indexed(zoom: 1)
        let job = cells.job
        let path = job.files.index(.leaves(0))
        let index = try IndexPhase(job)
        let facts = LayerFacts(
            "layer0", firstLeaf: 0, groupCount: 1, attributes: [],
            extras: job.zooms.extras(of: job.recipe.layers[0]))
        let whole = try Self.tail(of: path, job)
        for (name, change, isRead) in Self.changes {
            var tail = try Tail(whole)
            change(&tail)
            try FileManager.default.removeItem(atPath: path)
            var writer = try job.write(path)
            try writer.finish(tail: tail.sink)
            do {
                let file = try LeafBlocksFile(0, index.top.tasks[0], facts, job)
                #expect(isRead, "\(name)")
                #expect(file.blocks.map(\.leaves) == [20] && file.large.count == tail.large.count)
            } catch {
                #expect(!isRead && error as? JobError == .damaged(path: path), "\(name): \(error)")
            }
        }
    }
}
