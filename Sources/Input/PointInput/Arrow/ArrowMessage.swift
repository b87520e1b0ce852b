/// A message of an Arrow stream or file: its content and its bytes.
struct ArrowMessage {
    enum Content {
        /// A dictionary's values, or additional ones.
        case dictionary(Int64, ArrowBatch, isMore: Bool)
        case batch(ArrowBatch)
        case other
    }
    var content: Content
    var body: [UInt8]

    static let longestBody = 1 << 31

    /// A message's table: 1 kind, 2 content, 3 length of the body.
    struct Head: ~Escapable {
        let kind: UInt8
        let header: FlatTable
        let bodySize: Int

        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>) throws {
            let table = try FlatTable(rootOf: bytes)
            kind = try table.integer(1, default: 0)
            bodySize = Int(try table.integer(3, default: Int64(0)))
            guard bodySize >= 0, let header = try table.table(2) else {
                throw ArrowFault.badMessage("it has no header")
            }
            self.header = header
        }

        /// A dictionary's table: 0 number, 1 batch, 2 whether it extends the existing one.
        func content() throws -> Content {
            switch kind {
            case 2:
                let isDelta: UInt8 = try header.integer(2, default: 0)
                guard let batch = try header.table(1) else { return .other }
                return .dictionary(
                    try header.integer(0, default: 0), try ArrowBatch(batch), isMore: isDelta != 0)
            case 3: return .batch(try ArrowBatch(header))
            default: return .other
            }
        }
    }
}

/// A source of the messages after a schema, in order.
protocol ArrowSource {
    var name: String { get }
    var offset: Int { get }
    /// The next message; nil at the end.
    mutating func next() throws(InputError) -> ArrowMessage?
}

extension ArrowSource {
    func malformed(_ fault: ArrowFault) -> InputError {
        .malformed(
            input: name, location: "byte \(offset)", problem: fault.description)
    }
}

extension ArrowFault {
    /// Converts any error that reading a table throws.
    init(_ error: any Error) { self = error as? ArrowFault ?? .badMessage("\(error)") }
}
