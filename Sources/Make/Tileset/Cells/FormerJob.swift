import Basics
import Platform

extension JobPlan {
    /// The job that a later one takes files from: this one, or the one before if this one has no top yet.
    func job(in folder: JobFolder) -> String {
        guard let after, !folder.has(JobFiles(folder, job: job).top) else { return job }
        return after
    }
}

/// An earlier job of the same kind, whose points have changed since. A file that depends on
/// unchanged points is taken from it under a second name.
struct FormerJob: Sendable {
    let files: JobFiles
    /// In which blocks of parts its points differ from those of the job after it.
    private let changed = Once<ChangedBlocks>()

    init(_ files: JobFiles) { self.files = files }

    /// In which blocks of parts its points differ from those of `job`, which comes after it.
    func changedBlocks(in job: CellJob) throws -> ChangedBlocks {
        try changed.get { try ChangedBlocks(of: job, after: self) }
    }

    /// Gives a file to another job; false if that is not possible.
    /// - Parameter newPath: its path there.
    func give(_ path: String, as newPath: String, of other: JobFiles) -> Bool {
        do {
            // The link in `taken` exists if the file was given before; it was then removed as damaged, and is made anew.
            try other.makeFolder("taken")
            try File.link(path, as: other.taken(newPath))
            try File.link(path, as: newPath)
            return true
        } catch {
            return false
        }
    }

    /// Removes a damaged file that another job has taken from this one, under all names, so that it is made anew.
    /// - Returns: false if it was not taken.
    func discard(_ path: String, of other: JobFiles) -> Bool {
        guard let damaged = try? FileStatus(of: path),
            (try? FileStatus(of: other.taken(path)))?.identity == damaged.identity
        else { return false }
        let folder = "\(files.path)/\(Directory.split(Directory.split(path).directory).name)"
        for name in (try? Directory(folder).names()) ?? [] {
            let own = "\(folder)/\(name)"
            if (try? FileStatus(of: own))?.identity == damaged.identity { try? File.remove(own) }
        }
        try? File.remove(path)
        return true
    }

    /// Whether a file of another job was taken from this one.
    func gave(_ file: (JobFiles) -> String, to other: JobFiles) -> Bool {
        guard let own = try? FileStatus(of: file(files)),
            let given = try? FileStatus(of: file(other))
        else { return false }
        return own.identity == given.identity
    }
}
