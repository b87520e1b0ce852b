import Points

extension CellPiece {
    /// What the bytes of a piece begin with.
    private static let mark = "covey cell piece"

    /// Goes up with every change of what is written.
    static let bytesVersion = 2

    /// The piece as bytes that mean the same on any machine: a mark, a version, the columns, and at the end
    /// a sum over all before it.
    public var bytes: [UInt8] {
        var sink = ByteSink()
        sink.write(Self.mark)
        sink.write(Self.bytesVersion)
        sink.write(loadedCount)
        columns.write(to: &sink)
        attributes.write(to: &sink)
        sink.write(roots) { sink, root in
            sink.write(root.leaves.count)
            sink.write(root.clusters.count)
        }
        sink.write(skipped) { sink, skipped in
            sink.write(skipped.aggregate)
            sink.write(skipped.missing)
            sink.write(skipped.unusable)
        }
        nodes.write(to: &sink)
        let sum = Self.sum(of: sink.bytes[...])
        sink.write(fixed: sum)
        return sink.bytes
    }

    /// Reads a piece. Bytes that were changed since they were written are refused.
    public init(bytes: [UInt8], keys: AttributeKeys) throws(CellBytesError) {
        guard bytes.count > 8 else { throw .damaged(offset: bytes.count) }
        let content = bytes[..<(bytes.count - 8)]
        var source = ByteSource(Array(content))
        guard try source.text() == Self.mark else { throw .damaged(offset: 0) }
        let version = try source.int()
        guard version == Self.bytesVersion else { throw .otherVersion(version) }
        var last = ByteSource(Array(bytes[(bytes.count - 8)...]))
        guard try last.fixed() == Self.sum(of: content) else {
            throw .damaged(offset: content.count)
        }
        loadedCount = try source.int()
        columns = try TreeColumns(from: &source)
        attributes = try AttributeTable(from: &source, keys: keys)
        roots = try Self.roots(from: &source)
        skipped = try source.array { source throws(CellBytesError) in
            SkippedValues(
                aggregate: try source.text(), missing: try source.int(),
                unusable: try source.int())
        }
        nodes = try HandedUpNodes(from: &source, keys: keys)
        let isWhole =
            source.isAtEnd && roots.count == nodes.points.count
            && (roots.last?.leaves.upperBound ?? 0) == columns.leafRows.count
            && (roots.last?.clusters.upperBound ?? 0) == columns.firsts.count
            && attributes.count == columns.firsts.count
        guard isWhole else { throw source.fail() }
    }

    private static func roots(from source: inout ByteSource) throws(CellBytesError) -> [Root] {
        var next = (leaf: 0, cluster: 0)
        return try source.array { source throws(CellBytesError) in
            let (leaves, clusters) = (try source.int(), try source.int())
            // So that adding them up cannot overflow.
            guard leaves <= Int32.max, clusters <= Int32.max else { throw source.fail() }
            defer { next = (next.leaf + leaves, next.cluster + clusters) }
            return Root(
                leaves: next.leaf..<next.leaf + leaves,
                clusters: next.cluster..<next.cluster + clusters)
        }
    }

    /// FNV-1a over 64 bits.
    private static func sum(of bytes: ArraySlice<UInt8>) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return sum
    }
}

extension TreeColumns {
    fileprivate func write(to sink: inout ByteSink) {
        for column in [leafRows, leafParents, firsts, leaves, parents] { sink.write(column) }
        for column in [leafParentZooms, zooms, parentZooms] { sink.write(column) }
        for column in [xs, ys, weights] { sink.write(column) }
    }

    fileprivate init(from source: inout ByteSource) throws(CellBytesError) {
        self.init()
        leafRows = try source.uint32Column()
        leafParents = try source.uint32Column()
        firsts = try source.uint32Column()
        leaves = try source.uint32Column()
        parents = try source.uint32Column()
        leafParentZooms = try source.zoomColumn()
        zooms = try source.zoomColumn()
        parentZooms = try source.zoomColumn()
        xs = try source.doubleColumn()
        ys = try source.doubleColumn()
        weights = try source.doubleColumn()
        let (leafCount, clusterCount) = (leafRows.count, firsts.count)
        let fits =
            leafParents.count == leafCount && leafParentZooms.count == leafCount
            && [leaves.count, parents.count, zooms.count, parentZooms.count, xs.count, ys.count]
                .allSatisfy { $0 == clusterCount }
            && (weights.isEmpty || weights.count == clusterCount)
        guard fits else { throw source.fail() }
    }
}
