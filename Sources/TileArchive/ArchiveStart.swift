import Platform

/// The first bytes of what lies at a path, by which the kinds of archives are told apart.
enum ArchiveStart {
    /// As many bytes as any kind needs, or fewer where the file is shorter; none of a folder.
    static func bytes(of path: String) throws(ArchiveError) -> [UInt8] {
        do {
            guard try FileStatus(of: path).kind != .directory else { return [] }
            return try File(readingRegular: path).bytes(upTo: byteCount)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    private static let byteCount = 512
}
