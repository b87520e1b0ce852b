import CLibrary

/// A folder and all below it, searched for files of one kind.
///
/// Names with a dot in front are passed over: files that are still being written have them. Links
/// to files are followed, links to folders are not, so that there is no way round in circles.
struct Folder {
    let path: String

    /// The paths below the folder of all files with that extension, sorted.
    func files(withExtension suffix: String) -> [String] {
        var found: [String] = []
        var pending = [""]
        while let folder = pending.popLast() {
            for name in Self.names(in: "\(path)/\(folder)") {
                let below = folder.isEmpty ? name : "\(folder)/\(name)"
                let full = "\(path)/\(below)"
                if name.hasSuffix("." + suffix), FileIdentity.kind(ofPath: full) == .file {
                    found.append(below)
                } else if Self.isFolderItself(full) {
                    pending.append(below)
                }
            }
        }
        return found.sorted()
    }

    private static func names(in path: String) -> [String] {
        guard let folder = unsafe opendir(path) else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 1) {
                    unsafe String(cString: $0)
                }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names
    }

    private static func isFolderItself(_ path: String) -> Bool {
        var status = stat()
        return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
