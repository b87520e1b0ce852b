import Platform
import TileArchive

/// A folder and all below it, searched for files of one kind.
///
/// Names with a dot in front are passed over: files that are still being written have them. Links
/// to files are followed, which `ServedFolder` judges; links to folders are not, so that there is no
/// way round in circles.
/// Nothing but files and folders is looked at; a fifo is not opened.
struct Folder {
    let path: String

    /// The paths below the folder of all files with one of these extensions, and of all folders that
    /// are archives themselves, sorted; files that go with an archive are no archives.
    func archives(withExtensions endings: [String]) -> [String] {
        var found: [String] = []
        var pending = [""]
        while let folder = pending.popLast() {
            // What cannot be read holds nothing that could be served.
            let names = (try? Directory("\(path)/\(folder)").names()) ?? []
            for name in names where !name.hasPrefix(".") {
                let below = folder.isEmpty ? name : "\(folder)/\(name)"
                let full = "\(path)/\(below)"
                if endings.contains(where: { name.hasSuffix("." + $0) }),
                    !name.hasSuffix(".clusters.pmtiles"), FileStatus(ofFileAt: full) != nil
                {
                    found.append(below)
                } else if (try? FileStatus(of: full, followingLinks: false))?.kind == .directory {
                    // What lies in an archive is its own.
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
}
