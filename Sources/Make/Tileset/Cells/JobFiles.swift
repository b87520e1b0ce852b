import Platform

/// The files of a job. They lie in a folder that is named by a sum over inputs and options, so that
/// a job never takes files of another for its own.
struct JobFiles: Sendable {
    let path: String
    /// A temporary folder is removed with its last owner.
    private let folder: JobFolder

    init(_ folder: JobFolder, job: String) {
        self.folder = folder
        path = "\(folder.path)/\(job)"
    }

    func has(_ file: String) -> Bool { folder.has(file) }

    /// Removes files that no later phase reads, unless the folder is to be kept.
    func release(_ path: String) { if folder.isTemporary { UnfinishedFiles.discard(path) } }

    /// Removes the files of a job that was here before, and no others.
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

    /// Removes the points, both the parts and their index, unless the folder is to be kept.
    func releasePoints() {
        release(folder("points"))
        release(PartFolder.path(in: folder))
    }

    /// The folder of a phase's files.
    func folder(_ name: String) -> String { "\(path)/\(name)" }

    /// Makes the folder for the files of a phase, if it is not there.
    func makeFolder(_ name: String) throws(JobError) {
        try JobFolder.make(path)
        try JobFolder.make("\(path)/\(name)")
    }

    var top: String { "\(path)/top/clusters" }
    /// The ids that do not follow from their clusters alone.
    var ids: String { "\(path)/top/ids" }
    var topTiles: String { "\(path)/tiles/top" }

    /// The plan that the tasks of the index share.
    var indexPlan: String { "\(path)/index/plan" }
    /// The sums of all payloads of the archive.
    var payloadSums: String { "\(path)/index/payloads" }
    func index(_ unit: IndexUnit) -> String { "\(path)/index/\(unit.name)" }
    /// Those leaves of a cell that are in tasks with leaves of other cells.
    func excerpt(of cell: String) -> String { "\(path)/index/\(cell).leaves" }
    /// The ids of a layer's clusters that stand in a cell.
    func pages(ofLayer layer: Int, in cell: String) -> String {
        "\(path)/index/pages-\(layer)-\(cell)"
    }
    /// A note about a finished archive, by a sum over the archive's path.
    func written(_ sum: UInt64) -> String { "\(path)/index/archive-\(String(sum, radix: 16))" }
    /// Whether a file of the index is such a note.
    static func isOfWritten(_ name: String) -> Bool { name.hasPrefix("archive-") }
    /// Where each byte of a PMTiles archive comes from.
    var laidOut: String { "\(path)/index/archive" }

    /// The places along the curve of the parts that stay.
    var parts: String { "\(path)/points/parts" }
    /// The blocks of such a part.
    func blocks(of part: String) -> String { "\(path)/points/\(part).blocks" }

    /// The second name of a file that was taken over, which stays when the file is removed.
    func taken(_ file: String) -> String {
        "\(path)/taken/\(file.dropFirst(path.count + 1).replacing("/", with: "-"))"
    }

    /// The frontier of a cell, for a supposed number of passes.
    func frontier(of cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).up"
    }
    func tree(of cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).tree"
    }
    /// The nodes of squares below that went into a square above the cells.
    func members(of square: String, _ passes: Int) -> String {
        "\(path)/cluster/\(square).p\(passes).members"
    }
    func border(of cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).border"
    }
    /// A file that exists if a zoom took more than so many passes in squares of a level.
    func tooFew(_ passes: Int, level: Int) -> String {
        "\(path)/cluster/\(level == 0 ? "" : "above\(level)-")more-passes-than-\(passes)"
    }
    func numbers(of cell: String) -> String { "\(path)/top/\(cell)" }
    func tiles(of cell: String) -> String { "\(path)/tiles/\(cell)" }
}
