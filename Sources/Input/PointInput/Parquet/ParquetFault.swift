/// A fault of a Parquet file, or of one of its pages.
enum ParquetFault: Error, Equatable {
    /// The first or the last bytes are not those of a Parquet file.
    case noMagic
    case encrypted
    case footerTooLarge(bytes: Int)
    /// A structure of the footer or of a page's header violates Thrift's compact protocol.
    case badThrift(offset: Int)
    case badSchema(String)
    /// The footer has impossible values.
    case badFooter(String)
    /// An offset exceeds the file, or the bytes of its column.
    case outOfBounds(String)
    case badPage(String)
    case tooLarge(String)
    case unsupported(String)
    /// The message of a decompressor.
    case damaged(String)
}

extension ParquetFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .noMagic: "this is not a Parquet file: it does not begin and end with “PAR1”"
        case .encrypted: "the file is encrypted; write it without encryption"
        case .footerTooLarge(let bytes): "the footer claims \(bytes) bytes, more than there are"
        case .badThrift(let offset):
            "a structure of the file cannot be read at its byte \(offset)"
        case .badSchema(let problem): "the schema cannot be read: \(problem)"
        case .badFooter(let problem): "the footer is not valid: \(problem)"
        case .outOfBounds(let what): "\(what) points outside the bytes that there are"
        case .badPage(let problem): "a page cannot be read: \(problem)"
        case .tooLarge(let what): "\(what), which is too large"
        case .unsupported(let what), .damaged(let what): what
        }
    }
}
