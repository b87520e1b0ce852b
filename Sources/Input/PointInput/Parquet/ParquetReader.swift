/// Reads Parquet files, including GeoParquet: a footer describes the columns, and row groups have
/// their columns in pages.
///
/// Strips of rows are read in parallel. Only the wanted columns are read, and a page that several
/// strips share is decompressed once.
enum ParquetReader: PointReader {
    static let format = InputFormat.parquet
    static let fileExtensions = ["parquet", "geoparquet", "parq", "pq"]

    /// A file has a mark at both ends.
    private static let mark = Array("PAR1".utf8)

    static func recognises(_ start: Span<UInt8>) -> Bool {
        // The mark of a file whose footer is encrypted ends in E.
        start.count >= 4 && (0..<3).allSatisfy { start[$0] == mark[$0] }
            && (start[3] == mark[3] || start[3] == UInt8(ascii: "E"))
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        let options = collector.options
        let file = try InputFile(input, temporaryDirectory: options.temporaryDirectory)
        let footer = try footer(of: file)
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
        try ColumnReading.run(strips, selection, collector)
    }

    /// The footer, which is followed by its length and the mark.
    private static func footer(of file: InputFile) throws(InputError) -> ParquetFooter {
        let size = file.size
        let location = "footer"
        guard size >= 12 else { throw file.malformed(ParquetFault.noMagic, at: location) }
        let end = try file.bytes(size - 8..<size)
        guard recognises(end.span.extracting(4..<8)) else {
            throw file.malformed(ParquetFault.noMagic, at: location)
        }
        guard end[7] == mark[3] else { throw file.malformed(ParquetFault.encrypted, at: location) }
        let count = end.span.number(0, 4)
        guard count <= size - 12 else {
            throw file.malformed(ParquetFault.footerTooLarge(bytes: count), at: location)
        }
        let footer = try file.bytes(size - 8 - count..<size - 8)
        do { return try ParquetFooter(footer) } catch { throw file.malformed(error, at: location) }
    }
}
