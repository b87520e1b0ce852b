import Platform

/// Opens the source at a path or an address.
enum RangeSources {
    static func open(_ path: String) throws(ArchiveError) -> any RangeSource {
        WebTransfer.isAddress(path) ? try RemoteSource(path) : try FileSource(path: path)
    }
}

extension Archive {
    /// Whether a name is the address of an archive on the web.
    public static func isAddress(_ name: String) -> Bool { WebTransfer.isAddress(name) }
}
