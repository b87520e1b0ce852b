import TileArchive

/// Options for converting or joining archives.
public struct ConversionOptions: Sendable {
    /// The tiles to take.
    public var selection = TileSelection()
    public var sink = SinkOptions()
    public var threads = 2
    /// The compression level for tiles that are compressed now; nil takes that of the archive's build.
    public var compression: Int?
    /// Is asked now and then; true stops the run, and nothing is left behind.
    public var isCancelled: @Sendable () -> Bool = { false }

    public init() {}
}

/// Why archives cannot be converted or joined.
public enum ConversionError: Error, Equatable, Sendable {
    /// No tile is what was asked for: in a box, at some zooms, or both.
    case noTiles(path: String, asked: String)
    case cancelled
    case outputIsInput(String)
    /// Archives that cannot be joined, and what to do about it.
    case collision(String, advice: String)
    case damagedTile(path: String, tile: String, reason: String)
    /// A row of metadata is too long to be read, and so to be copied.
    case longMetadata(path: String, reason: String)
}

extension ConversionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noTiles(let path, let asked):
            "\(path): no tile lies \(asked); covey inspect shows what there is"
        case .cancelled: "stopped; nothing was written"
        case .outputIsInput(let path):
            "\(path): is read from and cannot be written too; name another output"
        case .collision(let what, let advice): "\(what)\n\(advice)"
        case .damagedTile(let path, let tile, let reason):
            "\(path): tile \(tile): \(reason)\ncovey verify \(path) shows all that is wrong"
        case .longMetadata(let path, let reason):
            "\(path): \(reason), and so it would be lost\nbuild it again, with fewer attributes "
                + "(--include, --exclude) if the row lists them"
        }
    }

    /// Throws if metadata of an archive were not read, as they are too long.
    static func checkMetadata(of archive: Archive) throws(ConversionError) {
        for case .tooLong(let row, let bytes) in archive.warnings {
            throw .longMetadata(
                path: archive.path,
                reason: ArchiveWarning.tooLong(row: row, bytes: bytes).description)
        }
    }
}
