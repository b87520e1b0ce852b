/// Reads the rows of Arrow's interprocess format (version 5 of its metadata): a stream of record
/// batches, or a file that contains one.
///
/// Layout of a stream: messages, each FF FF FF FF, the length of its description (32 bits), the description,
/// and a body of the length in the description. The first one describes the columns; a length of 0 is the
/// end. A file has a mark of eight bytes before the stream, and after it a footer with the messages' offsets.
enum ArrowReader: PointReader {
    static let format = InputFormat.arrow
    static let fileExtensions = ["arrow", "arrows", "feather", "ipc"]

    private static let mark = Array("ARROW1".utf8)

    static func recognises(_ start: Span<UInt8>) -> Bool {
        guard start.count >= 8 else { return false }
        return isFile(start) || beginsMessage(start, at: 0)
    }

    private static func beginsMessage(_ bytes: Span<UInt8>, at offset: Int) -> Bool {
        (offset..<offset + 4).allSatisfy { $0 < bytes.count && bytes[$0] == 0xFF }
    }

    /// Whether it is a file, which contains a stream.
    static func isFile(_ start: Span<UInt8>) -> Bool {
        start.starts(with: mark)
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        var input = input
        let start = input.start
        // A file from a pipe is read as the stream that it contains. Some writers leave out the heads of
        // messages, so that only the footer tells where they are.
        if isFile(start.span), input.isRepeatable || !beginsMessage(start.span, at: 8) {
            input = try input.repeatable(in: collector.options.temporaryDirectory)
            let file = try InputFile(
                input, temporaryDirectory: collector.options.temporaryDirectory)
            if let file = try ArrowFile(file) {
                return try read(file, file.schema, into: collector)
            }
            input = try input.again()
        }
        var stream = ArrowStream(input)
        let schema = try stream.schema()
        try read(stream, schema, into: collector)
    }

    private static func read(
        _ source: some ArrowSource, _ schema: ArrowSchema, into collector: PointCollector
    ) throws(InputError) {
        var builder = collector.makeBuilder()
        let selection = try ColumnSelection(
            from: schema.columns.map(\.field), lists: schema.lists, &builder, collector.options,
            input: source.name)
        let strips = ArrowStrips(
            source, schema, selection.sources, rows: max(collector.options.pieceSize / 8, 1))
        try ColumnReading.run(strips, selection, collector)
    }
}

/// A part of a record batch.
struct ArrowStrip: ColumnStrip {
    var batch: ArrowRows
    var range: Range<Int>

    func pass(to rows: inout ColumnRows, _: inout StripBytes) throws(InputError) {
        let columns = try batch.columns()
        try rows.pass(
            ColumnBatch(rowCount: batch.rowCount, columns.columns, in: columns.bytes.span),
            rows: range)
    }
}

/// Reads the batches of a stream in order, and divides large ones into ranges of rows.
private struct ArrowStrips: ColumnStrips, @unchecked Sendable {
    private var source: any ArrowSource
    private let schema: ArrowSchema
    private let wanted: [Int]
    private let rowsInStrip: Int
    private var dictionaries: [Int64: ArrowDictionary] = [:]
    private var batch: ArrowRows?
    private var row = 0

    init(_ source: any ArrowSource, _ schema: ArrowSchema, _ wanted: [Int], rows: Int) {
        self.source = source
        self.schema = schema
        self.wanted = wanted
        rowsInStrip = rows
    }

    mutating func next() throws(InputError) -> ArrowStrip? {
        while true {
            if let batch, row < batch.rowCount {
                let rows = row..<min(row + rowsInStrip, batch.rowCount)
                row = rows.upperBound
                return ArrowStrip(batch: batch, range: rows)
            }
            batch = nil
            let offset = source.offset
            guard let message = try source.next() else { return nil }
            switch message.content {
            case .batch(let batch):
                self.batch = ArrowRows(
                    batch, of: schema, wanted, message.body, dictionaries,
                    input: source.name, offset: offset)
                row = 0
            case .dictionary(let id, let batch, let isMore):
                try take(batch, message.body, as: id, isMore: isMore)
            case .other: break
            }
        }
    }

    private mutating func take(
        _ batch: ArrowBatch, _ body: [UInt8], as id: Int64, isMore: Bool
    ) throws(InputError) {
        let column = wanted.lazy.map { [schema] in schema.columns[$0] }
            .first { $0.dictionary?.id == id }
        guard let column, let dictionary = column.dictionary else { return }
        do throws(ArrowFault) {
            let values = try ArrowDictionary(batch, dictionary, of: column, body)
            let known = isMore ? dictionaries.removeValue(forKey: id) : nil
            dictionaries[id] = try known?.followed(by: values) ?? values
        } catch {
            throw source.malformed(error)
        }
    }
}
