import Platform
import TileArchive

/// A folder that must hold all files of its archives, wherever symbolic links lead. A user who can
/// write to the folder need not be one who may read all that the server can.
struct ServedFolder: Equatable, Sendable {
    let path: String

    /// Refuses a file that lies outside once all links are followed.
    func check(_ file: String) throws(ArchiveError) {
        do {
            _ = try inside(file)
        } catch .system {
            // Opening it will say what is wrong.
        } catch {
            throw .unreadable(path: file, reason: Self.refusal)
        }
    }

    /// Opens a regular file in it.
    func open(_ file: String) throws(FileError) -> File {
        let opened = try File(readingRegular: file)
        // A link may be changed in between, so what was opened must be what was looked at.
        let found = try FileStatus(of: try inside(file))
        guard try opened.status().identity == found.identity else {
            throw .notAFile(.symbolicLink)
        }
        return opened
    }

    /// The file's path without links.
    private func inside(_ file: String) throws(FileError) -> String {
        let (root, found) = (try File.resolved(path), try File.resolved(file))
        guard root == "/" || found.hasPrefix(root + "/") else { throw .notAFile(.symbolicLink) }
        return found
    }

    private static let refusal =
        "it is a link to a file outside of the folder; covey serve --follow-links serves it"
}
