/// Files that must not be replaced, under any of their names.
public struct KeptFiles {
    private var names: [FileStatus.Identity: String] = [:]
    /// Also the names of files that do not exist yet.
    private var namesByEntry: [Entry: String] = [:]

    /// A name in a folder.
    private struct Entry: Hashable {
        let folder: FileStatus.Identity
        let name: String

        /// Nil if the folder does not exist.
        init?(of path: String) {
            let (folder, name) = Directory.split(path)
            guard let status = try? FileStatus(of: folder) else { return nil }
            (self.folder, self.name) = (status.identity, name)
        }
    }

    public init(_ paths: [String]) {
        for path in paths {
            if let status = try? FileStatus(of: path) { names[status.identity] = path }
            if let entry = Entry(of: path) { namesByEntry[entry] = path }
        }
    }

    /// The kept file that writing to a path would replace.
    public func file(at path: String) -> String? {
        if let status = try? FileStatus(of: path), let name = names[status.identity] { return name }
        return Entry(of: path).flatMap { namesByEntry[$0] }
    }
}
