/// How an archive that is a folder is made.
public struct FolderOptions: Sendable {
    /// Whether files keep the gzip of their tiles, for hosts that say `Content-Encoding: gzip`; files
    /// that are not packed work on any host.
    public var keepsGzip = false
    /// Asked at the end, with all tiles and metadata in place, for what goes beside them: a page, a
    /// style.
    public var companions: (@Sendable (Archive) throws -> [StaticFile])?

    public init() {}

    /// A small file at the top of the folder, or in a folder there: `assets/page.js`.
    public struct StaticFile: Sendable {
        public let path: String
        public let bytes: [UInt8]

        public init(_ path: String, _ bytes: [UInt8]) {
            self.path = path
            self.bytes = bytes
        }
    }
}
