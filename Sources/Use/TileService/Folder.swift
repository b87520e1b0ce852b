import Platform
import TileArchive

/// A folder and its subfolders, searched for files of one kind.
///
/// Names that begin with a dot are skipped: files that are still being written have such names.
/// Links to files are followed, and `ServedFolder` checks them; links to folders are not, so that
/// there are no cycles.
/// Only files and folders are looked at; a fifo is not opened.
struct Folder {
    let path: String

    /// The paths below the folder of all files with one of these extensions, and of all folders
    /// that are archives, sorted; files that belong to an archive are not listed.
    /// - Parameter unreadable: is called with each folder that cannot be read.
    func archives(
        withExtensions endings: [String],
        unreadable: (_ below: String, FileError) -> Void = { _, _ in }
    ) -> [String] {
        var found: [String] = []
        var pending = [""]
        while let folder = pending.popLast() {
            for name in names(in: folder, unreadable) where !name.hasPrefix(".") {
                let below = folder.isEmpty ? name : "\(folder)/\(name)"
                let full = "\(path)/\(below)"
                if endings.contains(where: { name.hasSuffix("." + $0) }),
                    !name.hasSuffix(".clusters.pmtiles"), FileStatus(ofFileAt: full) != nil
                {
                    found.append(below)
                } else if (try? FileStatus(of: full, followingLinks: false))?.kind == .directory {
                    // Files in such a folder belong to its archive.
                    if TileFolder.lies(at: full) {
                        found.append(below)
                    } else {
                        pending.append(below)
                    }
                }
            }
        }
        return found.sorted()
    }

    private func names(
        in folder: String, _ unreadable: (_ below: String, FileError) -> Void
    ) -> [String] {
        do {
            return try Directory("\(path)/\(folder)").names()
        } catch {
            // A folder that was removed meanwhile has nothing to serve.
            if !error.isMissing { unreadable(folder, error) }
            return []
        }
    }
}
