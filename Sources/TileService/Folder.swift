import Platform

/// A folder and all below it, searched for files of one kind.
///
/// Names with a dot in front are passed over: files that are still being written have them. Links
/// to files are followed, links to folders are not, so that there is no way round in circles.
/// Nothing but files and folders is looked at; a fifo is not opened.
struct Folder {
    let path: String

    /// The paths below the folder of all files with one of these extensions, sorted; those that go
    /// with an archive are no archives.
    func files(withExtensions endings: [String]) -> [String] {
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
                    pending.append(below)
                }
            }
        }
        return found.sorted()
    }
}

extension FileStatus {
    /// The regular file at a path, links followed; nil if there is none.
    init?(ofFileAt path: String) {
        guard let status = try? FileStatus(of: path), status.isRegular else { return nil }
        self = status
    }
}
