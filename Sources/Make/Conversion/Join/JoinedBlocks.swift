import ArchiveContract
import Basics
import Compression
import Geometry
import Synchronization
import TileArchive
import VectorTile

/// The leaf blocks of archives that are taken for one: cut anew from theirs, as their leaves follow
/// one another.
final class JoinedBlocks {
    struct Block {
        var bytes: [UInt8]
        var hull: [UInt8]
    }

    private let plan: JoinPlan
    private let layout: LeafBlockLayout
    private var indexes: [Int: any ClusterFinder] = [:]
    private let archives: [any ArchiveContents]
    private let paths: [String]
    private var builder = TileBuilder()
    private var compressor: GzipCompressor
    private var inflater = GzipInflater()
    /// The block of a source that was read last: the next cut goes on in it.
    private var current: (source: Int, number: Int64, bytes: [UInt8])?

    init(
        _ plan: JoinPlan, _ archives: [any ArchiveContents], paths: [String], compression: Int
    ) {
        self.plan = plan
        layout = plan.layout
        self.archives = archives
        self.paths = paths
        compressor = GzipCompressor(level: compression)
    }

    var count: Int64 {
        layout.blockCount(forLeaves: plan.units.last?.leaves.upperBound ?? 0)
    }

    /// The block of that number; nil if there is none.
    func block(_ number: Int64) throws(ArchiveError) -> Block? {
        guard (0..<count).contains(number) else { return nil }
        let parts = plan.parts(of: layout.leaves(ofBlock: number))
        if let whole = try unchanged(number, parts) { return whole }
        do throws(ArchiveError) {
            return try rewritten(parts)
        } catch {
            // Several threads ask, and what was begun must not be found open by the next.
            builder = TileBuilder()
            throw error
        }
    }

    private func rewritten(
        _ parts: [(unit: JoinUnit, leaves: Range<Int64>)]
    ) throws(ArchiveError) -> Block {
        var gridPoints: [GridPoint] = []
        var open: String?
        for (unit, leaves) in parts {
            if open != unit.layer.name {
                if open != nil { builder.endLayer() }
                builder.beginLayer(unit.layer.name, extent: LeafBlockLayout.extent)
                open = unit.layer.name
            }
            try append(
                leaves.lowerBound - unit.shift..<leaves.upperBound - unit.shift, unit, &gridPoints)
        }
        if open != nil { builder.endLayer() }
        var bytes: [UInt8] = []
        compressor.compress(builder.bytes, appendingTo: &bytes)
        builder.removeAll()
        return Block(bytes: bytes, hull: GridPoint.pack(GridHull(of: gridPoints).corners))
    }

    /// A block that an archive has just so.
    private func unchanged(
        _ number: Int64, _ parts: [(unit: JoinUnit, leaves: Range<Int64>)]
    ) throws(ArchiveError) -> Block? {
        guard let first = parts.first, first.unit.layout == layout,
            first.unit.shift % layout.leavesPerBlock == 0,
            parts.allSatisfy({
                $0.unit.source == first.unit.source && $0.unit.shift == first.unit.shift
            })
        else { return nil }
        let own = number - first.unit.shift / layout.leavesPerBlock
        let leaves = parts.reduce(0) { $0 + $1.leaves.count }
        guard leaves == layout.leavesPerBlock else { return nil }
        var block = Block(bytes: [], hull: [])
        let finder = try finder(first.unit.source)
        guard try finder.withLeafBlock(own, { block.bytes = $0.copied }),
            try finder.withHull(ofLeafBlock: own, { block.hull = $0.copied })
        else { throw .unknownLeafBlock(path: paths[first.unit.source], block: own) }
        return block
    }

    private func finder(_ source: Int) throws(ArchiveError) -> any ClusterFinder {
        if let finder = indexes[source] { return finder }
        let finder = try archives[source].clusterFinder()
        indexes[source] = finder
        return finder
    }

    /// Appends leaves of one archive, numbered as there, to the open layer.
    private func append(
        _ leaves: Range<Int64>, _ unit: JoinUnit, _ gridPoints: inout [GridPoint]
    ) throws(ArchiveError) {
        var next = leaves.lowerBound
        while next < leaves.upperBound {
            let number = unit.layout.block(ofLeaf: next)
            let all = unit.layout.leaves(ofBlock: number)
            let bytes = try contents(of: number, unit.source)
            let own = (next..<leaves.upperBound).clamped(to: all)
            let first = all.lowerBound
            let copied: Int
            do throws(TileError) {
                copied = try append(
                    Int(own.lowerBound - first)..<Int(own.upperBound - first), of: bytes,
                    &gridPoints)
            } catch {
                throw .damagedClusters(
                    path: paths[unit.source], reason: "leaf block \(number): \(error)")
            }
            guard copied == own.count else {
                throw .unknownLeaf(path: paths[unit.source], leaf: own.lowerBound + Int64(copied))
            }
            next = own.upperBound
        }
    }

    /// Appends the features at some indexes of a block, counted through all its layers.
    private func append(
        _ wanted: Range<Int>, of bytes: [UInt8], _ gridPoints: inout [GridPoint]
    ) throws(TileError) -> Int {
        var copied = 0
        var passed = 0
        var reader = try TileReader(bytes.span)
        while let layer = try reader.nextLayer(), passed < wanted.upperBound {
            let own = wanted.clamped(to: passed..<passed + layer.featureCount)
            var keys: [TileKey] = []
            for index in 0..<layer.keyCount {
                keys.append(builder.key(utf8: layer.keyBytes(at: index)))
            }
            for index in own {
                let feature = try layer.feature(at: index - passed)
                let point = feature.point ?? TilePoint(x: 0, y: 0)
                gridPoints.append(GridPoint(x: point.x, y: point.y))
                builder.beginFeature(
                    id: feature.id, type: feature.type, packedGeometry: feature.packedGeometry)
                var tags = feature.tags()
                while let tag = try tags.next() {
                    builder.addTag(keys[tag.key], packed: layer.value(at: tag.value).bytes)
                }
                builder.endFeature()
                copied += 1
            }
            passed += layer.featureCount
        }
        return copied
    }

    private func contents(of number: Int64, _ source: Int) throws(ArchiveError) -> [UInt8] {
        if let current, current.source == source, current.number == number { return current.bytes }
        var stored: [UInt8]?
        _ = try finder(source).withLeafBlock(number) { stored = $0.copied }
        guard let stored else { throw .unknownLeafBlock(path: paths[source], block: number) }
        do {
            let bytes = try inflater.inflate(stored.span, limit: LeafBlockLayout.largestBlock)
            current = (source, number, bytes)
            return bytes
        } catch {
            throw .damagedLeafBlock(path: paths[source], block: number, error)
        }
    }
}
