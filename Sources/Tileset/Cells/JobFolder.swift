import Platform

/// The folder of a job. What the job is stands in its plan; all other files are named by `JobFiles`.
///
/// A folder of our own goes away with its owner.
final class JobFolder: Sendable {
    let path: String
    let isTemporary: Bool

    /// A folder that stays; it is made if it is not there.
    init(_ path: String) throws(JobError) {
        self.path = path
        isTemporary = false
        try Self.make(path)
    }

    init(temporaryIn directory: String) throws(JobError) {
        let path = "\(directory)/covey-cells-\(Process.uniqueName)"
        self.path = path
        isTemporary = true
        do {
            try UnfinishedFiles.begin(path) { () throws(FileError) in try Directory.create(path) }
        } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
    }

    deinit { if isTemporary { UnfinishedFiles.remove(path) } }

    /// Makes a folder if it is not there.
    static func make(_ path: String) throws(JobError) {
        do {
            try Directory.create(path)
        } catch {
            guard (try? FileStatus(of: path))?.kind == .directory else {
                throw .cannotWrite(path: path, reason: "\(error)")
            }
        }
    }

    func has(_ file: String) -> Bool { (try? FileStatus(of: file))?.isRegular ?? false }

    var plan: String { Self.plan(in: path) }

    /// Whether there is a folder with a plan.
    static func holdsPlan(_ path: String) -> Bool {
        (try? FileStatus(of: plan(in: path)))?.isRegular ?? false
    }

    private static func plan(in path: String) -> String { "\(path)/plan.json" }
}
