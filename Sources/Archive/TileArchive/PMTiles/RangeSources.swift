/// Opens what a path or an address names.
enum RangeSources {
    static func open(_ path: String) throws(ArchiveError) -> any RangeSource {
        isAddress(path) ? try RemoteSource(path) : try FileSource(path: path)
    }

    /// Whether a name is that of something on the web.
    static func isAddress(_ name: String) -> Bool {
        let name = name.prefix(8).lowercased()
        return name.hasPrefix("http://") || name.hasPrefix("https://")
    }
}

extension Archive {
    /// Whether a name is that of an archive on the web.
    public static func isAddress(_ name: String) -> Bool { RangeSources.isAddress(name) }
}
