import Platform

/// A job of the same kind, of points that have changed since. What this one would make of the same is taken from it: a file
/// gets a second name.
struct FormerJob: Sendable {
    let files: JobFiles

    init(_ files: JobFiles) { self.files = files }

    /// Gives files of it new names; false if that cannot be done.
    func give(_ names: [(from: String, to: String)]) -> Bool {
        names.allSatisfy { from, to in
            do throws(FileError) {
                try File.link(from, as: to)
                return true
            } catch {
                return error.isTaken
            }
        }
    }

    /// Whether a file of a job was taken from this one.
    func gave(_ from: String, as to: String) -> Bool {
        guard let own = try? FileStatus(of: from), let other = try? FileStatus(of: to) else {
            return false
        }
        return own.identity == other.identity
    }
}
