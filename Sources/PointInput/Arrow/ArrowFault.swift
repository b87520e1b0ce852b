/// What is wrong with an Arrow stream as a whole.
enum ArrowFault: Error, Equatable {
    /// The first bytes are neither those of a stream nor those of a file.
    case noMagic
    case truncated
    /// A stream that just stops: whoever wrote it may have been stopped as well.
    case noEnd
    case badMessage(String)
    case messageTooLarge(bytes: Int)
    case compressed
    case bigEndian
    case dictionary(column: String)
    case nested(column: String, kind: String)
    /// A column has fewer bytes than its rows need.
    case columnTooShort(String)
}

extension ArrowFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .noMagic: "this is neither an Arrow stream nor an Arrow file (Feather, version 2)"
        case .truncated: "the stream ends too early"
        case .noEnd: "the stream has no end mark; what comes last may be missing"
        case .badMessage(let problem): "a message cannot be read: \(problem)"
        case .messageTooLarge(let bytes):
            "a record batch claims \(bytes) bytes; write batches of fewer rows"
        case .compressed: "record batches are compressed; write them without compression"
        case .bigEndian: "numbers are big-endian; little-endian ones are read"
        case .dictionary(let column):
            "the column \(column) is encoded by a dictionary; write its values themselves"
        case .nested(let column, let kind):
            "the column \(column) holds \(kind); leave it out, or make texts or numbers of it"
        case .columnTooShort(let column):
            "the column \(column) has fewer bytes than its rows need"
        }
    }
}
