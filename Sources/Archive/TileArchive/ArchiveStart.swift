import Platform

/// The first bytes of what a path names, by which the kinds of archives are told apart.
enum ArchiveStart {
    /// The kind that they tell of; nil where they tell of none.
    static func container(
        of path: String, among known: [any ArchiveContainer.Type]
    ) throws(ArchiveError) -> (any ArchiveContainer.Type)? {
        do {
            if try FileStatus(of: path).kind == .directory {
                return known.first { $0.mayStart(with: []) }
            }
            // As many bytes as any kind needs, or fewer where the file is shorter.
            let start = try File(readingRegular: path).bytes(upTo: byteCount)
            return ArchiveContainers.container(of: start, among: known)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    private static let byteCount = 512
}
