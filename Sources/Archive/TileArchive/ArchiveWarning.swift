/// An oddity of an archive that can be read nevertheless.
public enum ArchiveWarning: Hashable, Sendable {
    /// Finding a tile means reading them all.
    case noIndex
    case noMetadata
    /// A metadata row that the specification requires is missing.
    case missing(row: String)
    /// A metadata row is invalid, and was left out.
    case garbled(row: String, value: String)
    /// A metadata row occurs more than once; the first was used.
    case repeated(row: String)
    /// A metadata row is longer than any archive needs, and was left out.
    case tooLong(row: String, bytes: Int)
    /// One of the tables of clusters is missing, but another is there.
    case missingTable(String)
}

extension ArchiveWarning: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noIndex:
            "the tiles have no index on zoom_level, tile_column, tile_row: each look-up reads all"
        case .noMetadata: "there is no metadata table"
        case .missing(let row): "metadata has no row '\(row)'"
        case .garbled(let row, let value):
            "metadata row '\(row)' makes no sense: \(value.prefix(80))"
        case .repeated(let row): "metadata has more than one row '\(row)'"
        case .tooLong(let row, let bytes):
            "metadata row '\(row)' has \(bytes) bytes, which is too long to be read"
        case .missingTable(let name):
            "there is no table '\(name)', without which the other tables of clusters are of no use"
        }
    }
}
