import Points

/// The ids of a layer's clusters in one part, each with the first leaf of its cluster.
struct PartIDs {
    private(set) var sorted: SortedIDs
    /// The layer's first leaf in the archive.
    private let start: Int
    /// The first leaf of each node, within the layer.
    private var firsts = Column<Int>()
    private let path: String

    init(_ part: Int, _ ids: SortedIDs, _ layer: Int, _ job: CellJob) throws {
        path = IndexPlan.path(ofPart: part, job)
        sorted = ids
        start = job.firstLeaves[layer]
        guard part > 0 else {
            // The leaves of the top's clusters are numbered within the layer.
            firsts.append(0)
            return
        }
        let numbers = try CellNumbers(of: part - 1, job)
        for (index, unit) in job.units.enumerated() where unit.layer == layer {
            let own = numbers.firstLeaves[index]
            firsts.append(contentsOf: own.span)
        }
    }

    /// Takes the least id, with the first leaf of its cluster.
    mutating func take() throws(JobError) -> (id: Int64, leaf: Int64) {
        let (id, root, offset) = sorted.take()
        return (id, try leaf(root, offset))
    }

    private func leaf(_ root: Int, _ offset: Int) throws(JobError) -> Int64 {
        guard root < firsts.count else { throw JobError.damaged(path: path) }
        return Int64(start + firsts[root] + offset)
    }

    /// Calls `body` with each id and the first leaf of its cluster.
    func forEach(_ body: (_ id: Int64, _ leaf: Int64) throws -> Void) throws {
        let (ids, roots, offsets) = (sorted.ids, sorted.roots, sorted.offsets)
        for index in 0..<ids.count {
            try body(ids[index], leaf(Int(roots[index]), offsets[index]))
        }
    }
}
