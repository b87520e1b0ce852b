/// A fault of an Arrow stream as a whole.
enum ArrowFault: Error, Equatable {
    /// The first bytes are not those of a stream or a file.
    case noMagic
    case truncated
    /// A stream without an end mark: its writer may have been interrupted.
    case noEnd
    case badMessage(String)
    case messageTooLarge(bytes: Int)
    case unknownCodec(Int)
    case damaged(column: String, problem: String)
    case bigEndian
    case noDictionary(column: String)
    case dictionaryChange
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
        case .unknownCodec(let number):
            "record batches are compressed by codec \(number); lz4 and zstd are read"
        case .damaged(let column, let problem): "the column \(column) cannot be read: \(problem)"
        case .bigEndian: "numbers are big-endian; little-endian ones are read"
        case .noDictionary(let column): "the column \(column) lacks its dictionary"
        case .dictionaryChange:
            "a dictionary grows on the way past what can be; write it whole, in front of the batches"
        case .columnTooShort(let column):
            "the column \(column) has fewer bytes than its rows need"
        }
    }
}
