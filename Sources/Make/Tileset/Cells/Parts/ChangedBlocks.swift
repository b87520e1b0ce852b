/// The blocks of parts in which a job's points differ from those of the job before. Blocks with equal sums hold the
/// same points wherever they lie, so only the others are compared.
struct ChangedBlocks: Sendable {
    /// The blocks of this job that the job before does not have.
    private let now: [PartIndex.Entry]
    /// The blocks of the job before that this one does not have.
    private let before: [PartIndex.Entry]

    init(of job: CellJob, after former: FormerJob) throws {
        let now = try PartIndex(job).entries()
        let before = try PartIndex(job, of: former.files).entries()
        self.now = Self.entries(now, without: before)
        self.before = Self.entries(before, without: now)
    }

    func now(on stretches: CurveStretches) -> [WantedBlocks] {
        now.compactMap { $0.blocks(on: stretches) }
    }

    func before(on stretches: CurveStretches) -> [WantedBlocks] {
        before.compactMap { $0.blocks(on: stretches) }
    }

    /// Identifies a block by its content, in whichever part it lies.
    private struct Content: Hashable {
        let layer: Int
        let stretch: ClosedRange<UInt64>
        let count: Int
        let sum: UInt64
    }

    /// The entries without blocks whose content is also among the others; each of those counts once.
    private static func entries(
        _ entries: [PartIndex.Entry], without others: [PartIndex.Entry]
    ) -> [PartIndex.Entry] {
        var left: [Content: Int] = [:]
        for entry in others {
            for block in entry.blocks {
                if let content = content(of: block, entry) { left[content, default: 0] += 1 }
            }
        }
        return entries.map { entry in
            var changed = entry
            changed.blocks.removeAll { block in
                guard let content = content(of: block, entry), let count = left[content], count > 0
                else { return false }
                left[content] = count - 1
                return true
            }
            return changed
        }
    }

    /// Nil if the block has no sum.
    private static func content(of block: PartBlock, _ entry: PartIndex.Entry) -> Content? {
        block.sum.map {
            Content(layer: entry.layer, stretch: block.stretch, count: block.count, sum: $0)
        }
    }
}
