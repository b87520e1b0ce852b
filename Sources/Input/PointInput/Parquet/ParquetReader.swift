/// Reads Parquet files, including GeoParquet: a footer describes the columns, and row groups have
/// their columns in pages.
///
/// Strips of rows are read in parallel. Only the wanted columns are read, and a page that several
/// strips share is decompressed once.
enum ParquetReader: PointReader {
    static let format = InputFormat.parquet
    static let fileExtensions = ["parquet", "geoparquet"]

    static func recognises(_ start: Span<UInt8>) -> Bool { ParquetFrame.hasMark(start) }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        let options = collector.options
        let file = try ColumnFile(input, temporaryDirectory: options.temporaryDirectory)
        let footer = try ParquetFrame.footer(of: file)
        let schema: ParquetSchema
        do { schema = try ParquetSchema(footer) } catch {
            throw file.malformed(error, at: "footer")
        }
        var builder = collector.makeBuilder()
        let selection = try ColumnSelection(
            from: schema.columns.map(\.field), lists: schema.lists, &builder, options,
            input: input.name)
        let columns = selection.sources.map { schema.columns[$0] }
        let skip = RowGroupSkip(options, selection, schema)
        let strips = ParquetStrips(
            file, footer, columns, skip,
            rows: max(options.pieceSize / 8, 1),
            rowLimit: max(options.viewRows, 64 * file.size))
        try ColumnReading.run(strips, collector) {
            ParquetWorker(
                rows: ColumnRows(selection, builder: collector.makeBuilder(), of: input.name),
                columns: columns, file: file, skipReason: skip.reason)
        }
    }
}

/// Assembles the rows of a strip and passes them on.
private struct ParquetWorker: ColumnWorker, ~Copyable {
    var rows: ColumnRows
    let columns: [ParquetColumn]
    let file: ColumnFile
    let skipReason: RejectReason
    private var strip = StripBytes()

    init(
        rows: ColumnRows, columns: [ParquetColumn], file: ColumnFile, skipReason: RejectReason
    ) {
        self.rows = rows
        self.columns = columns
        self.file = file
        self.skipReason = skipReason
    }

    mutating func pass(_ strip: ParquetStrip) throws(InputError) {
        rows.builder.leaveOut(strip.skipped, skipReason)
        guard strip.rowCount > 0 else { return }
        try self.strip.fill(strip, of: columns, in: file)
        let (columns, bytes) = (self.strip.columns, self.strip.bytes)
        try rows.pass(
            ColumnBatch(rowCount: strip.rowCount, columns, in: bytes.span),
            rows: 0..<strip.rowCount)
    }
}
