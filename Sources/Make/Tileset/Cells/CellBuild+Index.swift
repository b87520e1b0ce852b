import Platform
import TileArchive

/// The steps after the tiles, which tasks may share.
extension CellBuild {
    /// Makes the parts of an archive other than its tiles.
    public func index(_ share: Share? = nil) throws {
        let index = try indexPhase()
        let units = index.units(withDirectories: true)
        let own = share.map { $0.pick(units, weights: units.map(index.weight)) } ?? units
        try MergePhase(job: job, tell: progress).run(own, of: index)
    }

    /// Does the units of these names, and calls `tell` after each.
    public func index(named names: [String], tell: (CellOutcome) -> Void) throws {
        let index = try indexPhase()
        let known = Set(index.units(withDirectories: true))
        let units = try names.map { name in
            guard let unit = IndexUnit(name: name), known.contains(unit) else {
                throw JobError.noCell(name, folder: job.folder.path)
            }
            return unit
        }
        try index.fetch(units.filter { !index.isDone($0) })
        for (name, unit) in zip(names, units) {
            let isNew = !index.isDone(unit)
            try told(of: name, in: "index") { try index.run(unit) }
            tell(CellOutcome(cell: name, isNew: isNew, points: index.weight(of: unit)))
        }
    }

    /// The units that are left, and how much work each is.
    func unitsLeft() throws -> [(cell: String, points: Int)] {
        let index = try indexPhase()
        return index.units(withDirectories: true).filter { !index.isDone($0) }
            .map { ($0.name, index.weight(of: $0)) }
    }

    /// How many units are done, and how many there are, where that is known.
    func indexed() throws -> (done: Int, all: Int)? {
        guard job.files.has(job.files.indexPlan) else { return nil }
        let index = try indexPhase()
        let units = index.units(withDirectories: true)
        return (units.filter(index.isDone).count, units.count)
    }

    private func indexPhase() throws -> IndexPhase {
        try requireTiles()
        return try IndexPhase(job)
    }

    /// The layout of a PMTiles archive, which is known before its bytes are put together.
    public struct Layout: Sendable {
        fileprivate let laid: LaidOut

        /// The size in bytes of each of its files: the archive, and the file of clusters if there is one.
        public var sizes: [Int] { laid.sizes }
    }

    /// Lays out a PMTiles archive, if that is not done.
    public func layOut() throws -> Layout {
        if let laid = try LaidOut(of: job) { return Layout(laid: laid) }
        let index = try indexPhase()
        let left = index.units(withDirectories: true).filter { !index.isDone($0) }
        try require("index", left.map(\.name))
        return Layout(laid: try LayPhase(job: job, index: index).run { _ in })
    }

    /// The report of a build whose archive is laid out.
    public func report(of layout: Layout) throws -> BuildReport {
        var report = BuildReport()
        report.cells = try CellFigures(job)
        MergePhase(job: job, tell: progress).report(try indexPhase(), &report)
        (report.bounds, report.center) = (layout.laid.bounds, layout.laid.center)
        report.fileBytes = layout.sizes.reduce(0, +)
        return report
    }

    /// Writes some bytes of a PMTiles archive; its files are numbered through, one after the other.
    public func write(
        _ bytes: Range<Int>, of layout: Layout,
        _ body: (_ bytes: Span<UInt8>, _ offset: Int, _ file: Int) throws -> Void
    ) throws {
        try CopyPhase(job: job, laid: layout.laid).run(bytes) { done in
            progress(
                BuildProgress(
                    stage: .tiles, unit: "MB", done: done / 1_000_000,
                    total: bytes.count / 1_000_000, subject: nil))
        } write: { bytes, offset, file in
            try body(bytes.span, offset, file)
        }
    }

    /// Writes a share of a PMTiles archive's bytes, while other processes write theirs.
    /// - Returns: the report of the build if this was the last share.
    public func merge(_ share: Share, to path: String) throws -> BuildReport? {
        let layout = try layOut()
        let merged = WrittenArchive(path, of: job.files)
        if merged.isThere { return nil }
        do {
            return try merge(share, layout, to: path, merged)
        } catch {
            // Another process wrote the same share, and the last share has been finished meanwhile.
            guard merged.isNamed else { throw error }
            return nil
        }
    }

    private func merge(
        _ share: Share, _ layout: Layout, to path: String, _ merged: WrittenArchive
    ) throws -> BuildReport? {
        let archive = try SharedPMTiles(
            path: path, job: job.name, share: (share.task, share.count),
            files: layout.sizes.count, replacesExisting: job.options.replacesExisting)
        if !archive.isWhole {
            let total = layout.sizes.reduce(0, +)
            let first = total * (share.task - 1) / share.count
            try write(first..<total * share.task / share.count, of: layout) {
                try archive.write($0, at: $1, ofFile: $2)
            }
            try archive.finish()
        }
        guard archive.isWhole else {
            // The same happened, and this process began the folder anew.
            if merged.isThere { archive.removeFolder() }
            return nil
        }
        if let status = archive.status(ofFile: 0) { try merged.note(status) }
        guard try archive.publish() else { return nil }
        let report = try report(of: layout)
        job.removeFormer()
        return report
    }
}

extension CellBuild.Share {
    /// This share's part of some consecutive pieces of work, about as much work as each share has.
    func pick<Piece>(_ pieces: [Piece], weights: [Int]) -> [Piece] {
        // A piece without work takes some time, too.
        let total = weights.reduce(0) { $0 + $1 + 1 }
        var before = 0
        return zip(pieces, weights).filter { _, weight in
            defer { before += weight + 1 }
            let middle = before + (weight + 1) / 2
            return min(middle * count / total, count - 1) == task - 1
        }.map(\.0)
    }
}
