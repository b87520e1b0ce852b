import Synchronization

/// The rows of a record batch. Its columns are decompressed when the first of the rows is read.
final class ArrowRows: Sendable {
    let rowCount: Int
    /// Columns in Arrow's layout, at any place in the bytes.
    struct Columns: Sendable {
        var bytes: [UInt8]
        var columns: [ColumnBatch.Column]
    }
    private let batch: ArrowBatch
    private let schema: ArrowSchema
    private let wanted: [Int]
    private let dictionaries: [Int64: ArrowDictionary]
    private let input: String
    private let offset: Int
    /// The body as read, later its columns.
    private let state: Mutex<(body: [UInt8], columns: Columns?)>

    init(
        _ batch: ArrowBatch, of schema: ArrowSchema, _ wanted: [Int], _ body: [UInt8],
        _ dictionaries: [Int64: ArrowDictionary], input: String, offset: Int
    ) {
        rowCount = batch.rowCount
        self.batch = batch
        self.schema = schema
        self.wanted = wanted
        self.dictionaries = dictionaries
        self.input = input
        self.offset = offset
        state = Mutex((body, nil))
    }

    func columns() throws(InputError) -> Columns {
        try state.withLock { state throws(InputError) in
            if let columns = state.columns { return columns }
            // The body is not kept in addition to its copy.
            let body = state.body
            state.body = []
            do throws(ArrowFault) {
                let columns = try batch.columns(wanted, of: schema, body, dictionaries)
                state.columns = columns
                return columns
            } catch {
                throw .malformed(
                    input: input, location: "byte \(offset)", problem: error.description)
            }
        }
    }
}

/// The values of a dictionary-encoded column.
struct ArrowDictionary: Sendable {
    let values: ColumnValues
    let isMissing: [Bool]

    init(
        _ batch: ArrowBatch, _ dictionary: ArrowSchema.Dictionary, of column: ArrowSchema.Column,
        _ body: [UInt8]
    ) throws(ArrowFault) {
        let schema = ArrowSchema(dictionary, of: column)
        let columns = try batch.columns([0], of: schema, body, [:])
        let kind = schema.columns[0].field.kind
        let found = columns.columns[0]
        let view = ColumnBatch(rowCount: batch.rowCount, [found], in: columns.bytes.span)
        isMissing = (0..<batch.rowCount).map { view.isNull(0, $0) }
        var layout = ColumnValues.Layout.bits(start: found.values.lowerBound)
        if let size = kind.size {
            layout = .fixed(start: found.values.lowerBound, size: size)
        } else if kind != .bool {
            let isLarge = kind == .text(isLarge: true) || kind == .binary(isLarge: true)
            var starts: [UInt32] = [UInt32(truncatingIfNeeded: found.values.lowerBound)]
            for row in 0..<batch.rowCount {
                guard let text = view.place(0, row, isLarge: isLarge),
                    text.upperBound <= Int(UInt32.max)
                else { throw .columnTooShort(column.field.name) }
                // The texts may begin anywhere, but are contiguous.
                if row == 0 { starts[0] = UInt32(text.lowerBound) }
                starts.append(UInt32(text.upperBound))
            }
            layout = .texts(starts: starts, gap: 0)
        }
        values = ColumnValues(count: batch.rowCount, bytes: columns.bytes, layout: layout)
    }

    private init(_ values: ColumnValues, isMissing: [Bool]) {
        self.values = values
        self.isMissing = isMissing
    }

    /// This dictionary with another's values appended.
    func followed(by other: ArrowDictionary) throws(ArrowFault) -> ArrowDictionary {
        var bytes: [UInt8] = []
        let layout: ColumnValues.Layout
        switch (values.layout, other.values.layout) {
        case (.fixed(let first, let size), .fixed(let second, _)):
            bytes += values.bytes[first..<first + size * values.count]
            bytes += other.values.bytes[second..<second + size * other.values.count]
            layout = .fixed(start: 0, size: size)
        case (.texts(let own, _), .texts(let more, _)):
            bytes += values.bytes[Int(own[0])..<Int(own[own.count - 1])]
            let middle = UInt32(bytes.count)
            bytes += other.values.bytes[Int(more[0])..<Int(more[more.count - 1])]
            guard bytes.count <= Int(UInt32.max) else { throw .dictionaryChange }
            var starts = own.map { $0 - own[0] }
            starts += more.dropFirst().map { middle + ($0 - more[0]) }
            layout = .texts(starts: starts, gap: 0)
        default: throw .dictionaryChange
        }
        return ArrowDictionary(
            ColumnValues(count: values.count + other.values.count, bytes: bytes, layout: layout),
            isMissing: isMissing + other.isMissing)
    }
}
