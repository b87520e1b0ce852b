import Platform

extension JobPlan {
    /// The job that a later one takes from: this, or the one before where this has not come so far.
    func job(in folder: JobFolder) -> String {
        guard let after, !folder.has(JobFiles(folder, job: job).top) else { return job }
        return after
    }
}

/// A job of the same kind, of points that have changed since. What this one would make of the same is taken from it: a file
/// gets a second name.
struct FormerJob: Sendable {
    let files: JobFiles

    init(_ files: JobFiles) { self.files = files }

    /// Gives another job a file; false if that cannot be done.
    func give(_ file: (JobFiles) -> String, to other: JobFiles) -> Bool {
        give(file(files), as: file(other), of: other)
    }

    /// - Parameter newPath: one of the other job.
    func give(_ path: String, as newPath: String, of other: JobFiles) -> Bool {
        do {
            // What was given and is gone was found to be damaged: then it is made anew.
            try other.makeFolder("taken")
            try File.link(path, as: other.taken(newPath))
            try File.link(path, as: newPath)
            return true
        } catch {
            return false
        }
    }

    /// Whether a file of another job was taken from this one.
    func gave(_ file: (JobFiles) -> String, to other: JobFiles) -> Bool {
        guard let own = try? FileStatus(of: file(files)),
            let given = try? FileStatus(of: file(other))
        else { return false }
        return own.identity == given.identity
    }
}
