import Platform

/// The first bytes of a file, which distinguish the kinds of archives.
enum ArchiveStart {
    /// The kind of the file at a path; nil if it is unknown.
    static func container(
        of path: String, among known: [any ArchiveContainer.Type]
    ) throws(ArchiveError) -> (any ArchiveContainer.Type)? {
        do {
            if try FileStatus(of: path).kind == .directory {
                return known.first { $0.mayStart(with: []) }
            }
            // As many bytes as any kind needs; fewer if the file is shorter.
            let start = try File(readingRegular: path).bytes(upTo: byteCount)
            return ArchiveContainers.container(of: start, among: known)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    private static let byteCount = 512
}
