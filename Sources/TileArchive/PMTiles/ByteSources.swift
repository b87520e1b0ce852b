/// Opens what a path or an address names.
enum ByteSources {
    static func open(_ path: String) throws(ArchiveError) -> any ByteSource {
        try FileSource(path: path)
    }
}
