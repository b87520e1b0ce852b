import Platform

extension FileStatus {
    /// The regular file at a path, links followed; nil if there is none.
    public init?(ofFileAt path: String) {
        guard let status = try? FileStatus(of: path), status.isRegular else { return nil }
        self = status
    }

    /// The status that changes with the archive at a path: that of its file, or of the description in a folder,
    /// which is written last.
    public init?(ofArchiveAt path: String) {
        guard let status = try? FileStatus(of: path) else { return nil }
        guard status.kind == .directory else {
            self.init(ofFileAt: path)
            return
        }
        guard
            let file = TileFolder.descriptions.lazy.compactMap({
                FileStatus(ofFileAt: "\(path)/\($0)")
            }).first
        else { return nil }
        self = file
    }
}
