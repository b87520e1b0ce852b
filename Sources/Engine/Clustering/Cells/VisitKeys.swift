import Points

/// The places of nodes of several cells in the order of visits: bytes for each node, which sort as the nodes do.
struct VisitKeys: Sendable {
    private var bytes = Column<UInt8>()
    /// The end of each node's bytes.
    private var ends = Column<UInt64>()

    var count: Int { ends.count }
    var isEmpty: Bool { ends.isEmpty }

    mutating func append(_ key: [UInt8]) {
        bytes.append(contentsOf: key.span)
        ends.append(UInt64(bytes.count))
    }

    mutating func append(_ other: VisitKeys) {
        let first = UInt64(bytes.count)
        bytes.append(contentsOf: other.bytes.span)
        for index in 0..<other.count { ends.append(first + other.ends[index]) }
    }

    private func range(_ index: Int) -> Range<Int> {
        (index == 0 ? 0 : Int(ends[index - 1]))..<Int(ends[index])
    }

    /// The first bytes of a key as a number that sorts as they do.
    func head(_ index: Int) -> UInt64 {
        let range = range(index)
        var head: UInt64 = 0
        for offset in 0..<8 {
            let next = range.lowerBound + offset
            head = head << 8 | (next < range.upperBound ? UInt64(bytes[next]) : 0)
        }
        return head
    }

    /// Whether the node of one index is visited before that of another.
    func precedes(_ first: Int, _ second: Int) -> Bool {
        let (first, second) = (range(first), range(second))
        let bytes = bytes.span
        for offset in 0..<min(first.count, second.count) {
            let (own, other) = (
                bytes[first.lowerBound + offset], bytes[second.lowerBound + offset]
            )
            if own != other { return own < other }
        }
        return first.count < second.count
    }
}

extension VisitKeys {
    func write(to sink: inout BlockSink) {
        sink.write(bytes)
        sink.write(ends)
    }

    init(from source: inout BlockSource) throws(BlockSource.Damaged) {
        bytes = try source.column()
        ends = try source.column()
        var last: UInt64 = 0
        for index in 0..<ends.count {
            guard ends[index] >= last else { throw BlockSource.Damaged() }
            last = ends[index]
        }
        guard last == bytes.count else { throw BlockSource.Damaged() }
    }
}
