/// How an archive that is a folder is made.
public struct FolderOptions: Sendable {
    /// Whether files keep the gzip of their tiles, for hosts that send `Content-Encoding: gzip`; files that are
    /// not compressed work on any host.
    public var keepsGzip = false
    /// Called at the end, with all tiles and metadata in place; returns the files beside them: a page, a style.
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
