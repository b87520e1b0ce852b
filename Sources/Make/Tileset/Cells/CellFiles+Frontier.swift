import Clustering
import Geometry
import Points

extension CellFiles {
    /// Writes the frontier of a square.
    /// - Parameter ids: the unusual ids that the square gives.
    func write(
        _ units: [FrontierUnit], _ ids: UnusualIDs, _ effort: Effort, of number: Int,
        _ passes: Int
    ) throws {
        var (own, up) = (BlockSink(), BlockSink())
        ids.write(to: &own)
        for unit in units { up.write(unit) }
        var effort = effort
        if job.keepsFiles {
            let names = job.keys.names.map(ByteSum.of)
            effort.content = units.reduce(ByteSum.of(own.bytes.span)) {
                PointsSum.mixed($0, $1.sum(names))
            }
        }
        effort.counts = units.map(\.nodes.points.count)
        var head = BlockSink()
        head.write(effort)
        var writer = try job.write(job.files.frontier(of: job.name(of: number), passes))
        for block in [head, own, up] { try writer.append(block.bytes) }
        try writer.finish()
    }

    /// The frontier of a square, and the unusual ids that it gave.
    /// - Parameter files: those of this job, or of the job before it.
    func frontier(
        of number: Int, _ passes: Int, in files: JobFiles? = nil
    ) throws -> (ids: UnusualIDs, units: [FrontierUnit]) {
        let path = (files ?? job.files).frontier(of: job.name(of: number), passes)
        var (reader, keys) = try job.read(path)
        var head = try reader.block()
        var own = try reader.block()
        var source = try reader.block()
        let units = job.units.count
        return try reader.decode { () throws(BlockSource.Damaged) in
            let effort = try Effort(from: &head)
            let ids = try UnusualIDs(from: &own)
            var frontier: [FrontierUnit] = []
            for _ in 0..<units { frontier.append(try source.frontierUnit(keys)) }
            guard effort.counts == frontier.map(\.nodes.points.count) else {
                throw BlockSource.Damaged()
            }
            return (ids, frontier)
        }
    }
}

extension FrontierUnit {
    /// A sum over the nodes, and over the counts that squares above add up.
    /// - Parameter names: sums over the attribute names, by key number.
    func sum(_ names: [UInt64]) -> UInt64 {
        var counts = BlockSink()
        counts.write(clusterCount, heldCount, skipped)
        var sum = ByteSum.of(counts.bytes.span)
        for row in 0..<nodes.points.count {
            sum = PointsSum.mixed(sum, PointsSum.sum(of: row, in: nodes.points, names))
        }
        for (index, cluster) in nodes.clusters.enumerated() {
            var sink = BlockSink()
            for count in [Int(cluster.row), cluster.points, cluster.sites, cluster.clusters] {
                sink.write(count)
            }
            for number in [cluster.x, cluster.y, cluster.weight] { sink.write(number) }
            sink.write(byte: cluster.zoom)
            sink.writeStates(of: cluster)
            if !traits.sites.isEmpty { sink.write(byte: traits.sites[index]) }
            sum = PointsSum.mixed(sum, ByteSum.of(sink.bytes.span))
            sum = records.withRecord(of: index) { PointsSum.mixed(sum, $0.sum(names)) }
        }
        return sum
    }
}

extension BlockSink {
    fileprivate mutating func write(_ unit: FrontierUnit) {
        write(unit.nodes)
        write(unit.records)
        write(unit.nodes.clusters.count)
        write(unit.traits)
        write(unit.below)
        write(unit.shares)
        write(unit.spans, unit.clusterCount, unit.heldCount, unit.spread, unit.skipped)
    }
}

extension BlockSource {
    fileprivate mutating func frontierUnit(
        _ keys: StoredKeys
    ) throws(Damaged) -> FrontierUnit {
        let nodes = try frontier(keys)
        let records = try attributes(keys)
        let count = try int()
        guard count == nodes.clusters.count, records.count == count else { throw Damaged() }
        let traits = try clusterTraits(count)
        var unit = FrontierUnit(
            nodes: nodes, records: records, traits: traits, below: try cellNodes(keys),
            shares: try shares(nodes.points.count))
        (unit.spans, unit.clusterCount, unit.heldCount, unit.spread, unit.skipped) = try values()
        guard unit.spans.count == (traits.boxes.isEmpty ? 0 : count),
            [unit.clusterCount, unit.heldCount].allSatisfy((0..<1 << 40).contains)
        else { throw Damaged() }
        return unit
    }
}

extension SkippedValues: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init(aggregate:missing:unusable:), \.aggregate, \.missing, \.unusable)
    }
}
