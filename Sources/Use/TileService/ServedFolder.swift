import Platform
import TileArchive

/// A folder that must contain all files of its archives, wherever symbolic links lead. A user who
/// can write to the folder may not have the right to read all that the server can.
struct ServedFolder: Equatable, Sendable {
    let path: String

    /// Refuses a file that is outside the folder once all links are followed.
    func check(_ file: String) throws(ArchiveError) {
        do {
            _ = try inside(file)
        } catch .system {
            // Opening the file will report the error.
        } catch {
            throw .unreadable(path: file, reason: Self.refusal)
        }
    }

    /// The file's path with links resolved.
    private func inside(_ file: String) throws(FileError) -> String {
        let (root, found) = (try File.resolved(path), try File.resolved(file))
        guard root == "/" || found.hasPrefix(root + "/") else { throw .notAFile(.symbolicLink) }
        return found
    }

    private static let refusal =
        "it is a link to a file outside of the folder; covey serve --follow-links serves it"
}
