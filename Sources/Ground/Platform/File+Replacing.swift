import CLibrary

extension File {
    /// Replaces a file by one with these bytes, completely or not at all.
    ///
    /// A link stays, and its target is replaced. The permissions and owners of an existing file are
    /// kept. A pipe or a device is written to.
    public static func replace(_ path: String, with bytes: Span<UInt8>) throws(FileError) {
        let found = try? FileStatus(of: path)
        if let found, !found.isRegular {
            try File(descriptor: unsafe open(path, O_WRONLY | O_CLOEXEC)).write(bytes)
            return
        }
        let target = try target(of: path)
        let (directory, name) = Directory.split(target)
        let temporary = "\(directory)/.\(name).covey-\(Process.uniqueName)"
        let file = try UnfinishedFiles.begin(temporary) { () throws(FileError) in
            try File(creating: temporary)
        }
        do {
            try file.write(bytes)
            if let found { try setAccess(as: found, of: temporary) }
            try UnfinishedFiles.publish(temporary) { () throws(FileError) in
                try rename(temporary, to: target)
            }
        } catch {
            UnfinishedFiles.remove(temporary)
            throw error
        }
    }

    /// The path that a name stands for: a link's target, or the name itself, whether or not it exists.
    public static func target(of path: String) throws(FileError) -> String {
        let named = try? FileStatus(of: path, followingLinks: false)
        return named?.kind == .symbolicLink ? try resolved(path) : path
    }

    /// Whether this user may read the file at a path.
    public static func isReadable(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }
}
