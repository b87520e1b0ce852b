import Platform

/// The files of a job: they lie in a folder that is named by the sum over inputs and options, so files of
/// another job are never taken for its own.
struct JobFiles: Sendable {
    let path: String
    /// Ours goes away with its last owner.
    private let folder: JobFolder

    init(_ folder: JobFolder, job: String) {
        self.folder = folder
        path = "\(folder.path)/\(job)"
    }

    func has(_ file: String) -> Bool { folder.has(file) }

    /// Removes files that no later phase reads, unless the folder is to be kept.
    func release(_ path: String) { if folder.isTemporary { UnfinishedFiles.discard(path) } }

    /// Removes what a job has written that was here before, and no more.
    func remove(job name: String) {
        let path = "\(folder.path)/\(name)"
        guard path != self.path else { return }
        for phase in ["points", "cluster", "top", "tiles", "index", "taken"] {
            UnfinishedFiles.discard("\(path)/\(phase)")
        }
        try? Directory.remove(path)
    }

    /// Removes parts that no plan names any more.
    func remove(parts: some Sequence<String>) {
        for part in parts where PartFolder.layer(of: part) != nil {
            PartFolder.discard(part, in: folder)
        }
    }

    /// Removes the points, in parts and what says where they lie, unless the folder is to be kept.
    func releasePoints() {
        release(folder("points"))
        release(PartFolder.path(in: folder))
    }

    /// All that a phase has written.
    func folder(_ name: String) -> String { "\(path)/\(name)" }

    /// A folder for the files of a phase, made if it is not there.
    func makeFolder(_ name: String) throws(JobError) {
        try JobFolder.make(path)
        try JobFolder.make("\(path)/\(name)")
    }

    var top: String { "\(path)/top/clusters" }
    /// The ids that do not follow from a cluster alone.
    var ids: String { "\(path)/top/ids" }
    var topTiles: String { "\(path)/tiles/top" }

    /// What the tasks of the index share.
    var indexPlan: String { "\(path)/index/plan" }
    func index(_ unit: IndexUnit) -> String { "\(path)/index/\(unit.name)" }
    /// The ids of a layer's clusters that stand in a cell.
    func pages(ofLayer layer: Int, in cell: String) -> String {
        "\(path)/index/pages-\(layer)-\(cell)"
    }
    /// What is noted of an archive that is made, by a sum over its path.
    func written(_ sum: UInt64) -> String { "\(path)/index/archive-\(String(sum, radix: 16))" }
    /// Where each byte of a PMTiles archive lies.
    var laidOut: String { "\(path)/index/archive" }

    /// Where along the curve the parts lie in which points stay.
    var parts: String { "\(path)/points/parts" }
    /// Which blocks one of them has.
    func blocks(of part: String) -> String { "\(path)/points/\(part).blocks" }

    /// A second name of a file that was taken over, which stays where that is removed.
    func taken(_ file: String) -> String {
        "\(path)/taken/\(file.dropFirst(path.count + 1).replacing("/", with: "-"))"
    }

    /// What a cell hands up, supposing so many passes.
    func frontier(of cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).up"
    }
    func tree(of cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).tree"
    }
    func border(of cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).border"
    }
    /// Says that a zoom took more than so many passes in squares of a level.
    func tooFew(_ passes: Int, level: Int) -> String {
        "\(path)/cluster/\(level == 0 ? "" : "above\(level)-")more-passes-than-\(passes)"
    }
    func numbers(of cell: String) -> String { "\(path)/top/\(cell)" }
    func tiles(of cell: String) -> String { "\(path)/tiles/\(cell)" }
}
