/// The frame of a Parquet file: its mark at both ends, and the footer.
enum ParquetFrame {
    private static let mark = Array("PAR1".utf8)

    static func hasMark(_ start: Span<UInt8>) -> Bool {
        // The mark of a file whose footer is encrypted ends in E.
        start.count >= 4 && (0..<3).allSatisfy { start[$0] == mark[$0] }
            && (start[3] == mark[3] || start[3] == UInt8(ascii: "E"))
    }

    /// The footer, which is followed by its length and the mark.
    static func footer(of file: ColumnFile) throws(InputError) -> ParquetFooter {
        let size = file.size
        let location = "footer"
        guard size >= 12 else { throw file.malformed(ParquetFault.noMagic, at: location) }
        let end = try file.bytes(size - 8..<size)
        guard hasMark(end.span.extracting(4..<8)) else {
            throw file.malformed(ParquetFault.noMagic, at: location)
        }
        guard end[7] == mark[3] else { throw file.malformed(ParquetFault.encrypted, at: location) }
        let count = (0..<4).reduce(0) { $0 | Int(end[$1]) << (8 * $1) }
        guard count <= size - 12 else {
            throw file.malformed(ParquetFault.footerTooLarge(bytes: count), at: location)
        }
        let footer = try file.bytes(size - 8 - count..<size - 8)
        do { return try ParquetFooter(footer) } catch { throw file.malformed(error, at: location) }
    }
}
