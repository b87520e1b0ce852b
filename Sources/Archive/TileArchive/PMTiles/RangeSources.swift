import Platform

/// Opens what a path or an address names.
enum RangeSources {
    static func open(_ path: String) throws(ArchiveError) -> any RangeSource {
        WebTransfer.isAddress(path) ? try RemoteSource(path) : try FileSource(path: path)
    }
}

extension Archive {
    /// Whether a name is that of an archive on the web.
    public static func isAddress(_ name: String) -> Bool { WebTransfer.isAddress(name) }
}
