import Platform

/// The folder of a job, and the names of its files.
///
/// A folder of our own goes away with its owner.
final class JobFolder: Sendable {
    let path: String
    private let isTemporary: Bool

    /// A folder that stays; it is made if it is not there.
    init(_ path: String) throws(JobError) {
        self.path = path
        isTemporary = false
        try Self.make(path)
    }

    init(temporaryIn directory: String) throws(JobError) {
        let token = String(UInt64.random(in: 0...(.max)), radix: 36)
        let path = "\(directory)/covey-cells-\(Process.id)-\(token)"
        self.path = path
        isTemporary = true
        do {
            try UnfinishedFiles.begin(path) { () throws(FileError) in try Directory.create(path) }
        } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
    }

    deinit { if isTemporary { UnfinishedFiles.remove(path) } }

    /// A folder for the files of a phase, made if it is not there.
    func makeFolder(_ name: String) throws(JobError) { try Self.make("\(path)/\(name)") }

    private static func make(_ path: String) throws(JobError) {
        do {
            try Directory.create(path)
        } catch {
            guard (try? FileStatus(of: path))?.kind == .directory else {
                throw .cannotWrite(path: path, reason: "\(error)")
            }
        }
    }

    func has(_ file: String) -> Bool { (try? FileStatus(of: file))?.isRegular ?? false }

    /// Removes what is not needed any more, unless the folder is to stay as it is.
    func release(_ file: String) { if isTemporary { UnfinishedFiles.discard(file) } }

    var plan: String { "\(path)/plan.json" }
    var top: String { "\(path)/top/clusters" }
    var topTiles: String { "\(path)/tiles/top" }

    func points(of cell: String) -> String { "\(path)/points/\(cell)" }
    func pointsNear(_ cell: String) -> String { "\(path)/points/\(cell).near" }
    /// What a cell hands up, supposing so many passes.
    func handedUp(by cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).up"
    }
    func tree(of cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).tree"
    }
    func border(of cell: String, _ passes: Int) -> String {
        "\(path)/cluster/\(cell).p\(passes).border"
    }
    /// Says that a zoom took more than so many passes.
    func tooFew(_ passes: Int) -> String { "\(path)/cluster/more-passes-than-\(passes)" }
    func numbers(of cell: String) -> String { "\(path)/top/\(cell)" }
    func tiles(of cell: String) -> String { "\(path)/tiles/\(cell)" }
    func leaves(of cell: String) -> String { "\(path)/tiles/\(cell).leaves" }
}
