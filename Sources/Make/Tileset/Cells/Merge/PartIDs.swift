import Points

/// The ids of a layer's clusters in one part, each with the first leaf of its cluster.
struct PartIDs {
    private(set) var sorted: SortedIDs
    /// The first leaf of each node.
    private var firsts = Column<Int>()
    private let path: String

    init(_ part: Int, _ ids: SortedIDs, _ layer: Int, _ job: CellJob) throws {
        path = IndexPlan.path(ofPart: part, job)
        sorted = ids
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
    mutating func take() throws -> (id: Int64, leaf: Int) {
        let (id, root, offset) = sorted.take()
        guard root < firsts.count else { throw JobError.damaged(path: path) }
        return (id, firsts[root] + offset)
    }

    /// All ids, each with the first leaf of its cluster.
    func all() throws -> [(id: Int64, leaf: Int)] {
        var (rest, all) = (self, [(id: Int64, leaf: Int)]())
        while rest.sorted.least != nil { all.append(try rest.take()) }
        return all
    }
}
