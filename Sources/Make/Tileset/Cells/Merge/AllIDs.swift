import Basics
import Points

/// The ids of all clusters: the files of tiles have them, sorted, layer by layer.
struct AllIDs {
    let job: CellJob
    let plan: IndexPlan

    /// Goes through them, ascending, with the first leaf of each.
    ///
    /// Those of a cell are looked into when the first may come, not before, so few are in memory at a time.
    func forEach(_ body: (Int64, Int64) throws -> Void) throws {
        try job.folder.fetch(job.levels.numbers.map { job.files.numbers(of: job.name(of: $0)) })
        try job.folder.fetch(
            plan.ids.enumerated().flatMap { part, layers -> [RemoteFiles.Piece] in
                let path = IndexPlan.path(ofPart: part, job)
                return ([0..<JobFolder.usualHead] + layers.map(\.bytes))
                    .map { .init(path: path, bytes: $0) }
            })
        var last: Int64 = 0
        for (layer, firstLeaf) in job.firstLeaves.enumerated() {
            var heap = LeastFirst<Keyed<Int64, Int>>()
            var open: [Int: PartIDs] = [:]
            for (part, ids) in plan.ids.enumerated() where ids[layer].least > 0 {
                heap.insert(Keyed(ids[layer].least, part))
            }
            while let part = heap.removeLeast()?.item {
                var ids = try open.removeValue(forKey: part) ?? PartIDs(part, layer, self)
                while let least = ids.sorted.least, least <= heap.least?.key ?? .max {
                    guard least > last else {
                        throw JobError.doesNotAddUp("two clusters have the id \(least)")
                    }
                    last = least
                    try body(least, Int64(firstLeaf) + Int64(ids.takeFirstLeaf()))
                }
                guard let least = ids.sorted.least else { continue }
                open[part] = ids
                heap.insert(Keyed(least, part))
            }
        }
    }
}

/// Those of a layer in one file.
private struct PartIDs {
    private(set) var sorted: SortedIDs
    /// Where the leaves of each node begin.
    private var firsts = Column<UInt32>()
    private let path: String

    init(_ part: Int, _ layer: Int, _ all: AllIDs) throws {
        let job = all.job
        path = IndexPlan.path(ofPart: part, job)
        sorted = try SortedIDs(
            in: job.read(path).reader, at: all.plan.ids[part][layer].bytes.lowerBound)
        guard part > 0 else {
            // The top has the clusters above the cut with their numbers.
            firsts.append(0)
            return
        }
        let numbers = try CellNumbers(of: part - 1, job)
        for (index, unit) in job.units.enumerated() where unit.layer == layer {
            let own = numbers.firstLeaves[index]
            firsts.append(contentsOf: own.span)
        }
    }

    mutating func takeFirstLeaf() throws -> Int {
        let (_, root, offset) = sorted.take()
        guard root < firsts.count else { throw JobError.damaged(path: path) }
        return Int(firsts[root]) + offset
    }
}
