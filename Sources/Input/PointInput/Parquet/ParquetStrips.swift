/// A range of rows, with the pages that contain the values of each wanted column.
struct ParquetStrip: ColumnStrip {
    let file: InputFile
    let columns: [ParquetColumn]
    let rowCount: Int
    /// The rows before these that are not read because none would be kept.
    let skipped: (count: Int, reason: RejectReason)
    /// For each column, its pages and the rows of each.
    let parts: [[(page: ParquetPage, rows: Range<Int>)]]

    func pass(to rows: inout ColumnRows, _ bytes: inout StripBytes) throws(InputError) {
        rows.builder.leaveOut(skipped.count, skipped.reason)
        guard rowCount > 0 else { return }
        try bytes.fill(self)
        let (columns, values) = (bytes.columns, bytes.bytes)
        try rows.pass(
            ColumnBatch(rowCount: rowCount, columns, in: values.span), rows: 0..<rowCount)
    }
}

/// Divides a Parquet file into ranges of rows, for which it reads only the headers of pages.
struct ParquetStrips: ColumnStrips {
    private let file: InputFile
    private let footer: ParquetFooter
    private let columns: [ParquetColumn]
    private let skip: RowGroupSkip
    private let judged: Set<Int>
    private let rowsInStrip: Int
    /// The offset of the next row group's description in the footer.
    private var footerOffset: Int
    private var group = 0
    private var rowsLeft = 0
    private var rowsSkipped = 0
    private var totalLeft: Int
    private var walks: [PageWalk] = []

    init(
        _ file: InputFile, _ footer: ParquetFooter, _ columns: [ParquetColumn],
        _ skip: RowGroupSkip, rows: Int, rowLimit: Int
    ) {
        self.skip = skip
        judged = skip.leaves
        self.file = file
        self.footer = footer
        self.columns = columns
        rowsInStrip = rows
        footerOffset = footer.groupsOffset
        totalLeft = rowLimit
    }

    /// The next rows; nil after the last.
    mutating func next() throws(InputError) -> ParquetStrip? {
        while rowsLeft == 0, group < footer.groupCount { try beginGroup() }
        guard rowsLeft > 0 || rowsSkipped > 0 else { return nil }
        defer { rowsSkipped = 0 }
        let count = min(rowsLeft, rowsInStrip)
        rowsLeft -= count
        var parts: [[(page: ParquetPage, rows: Range<Int>)]] = []
        for index in walks.indices {
            do throws(ParquetFault) {
                parts.append(try walks[index].take(count, from: file))
            } catch {
                throw file.malformed(error, at: location(columns[index]))
            }
        }
        return ParquetStrip(
            file: file, columns: columns, rowCount: count, skipped: (rowsSkipped, skip.reason),
            parts: parts)
    }

    private func location(_ column: ParquetColumn) -> String {
        "row group \(group), in the column \(column.field.name)"
    }

    private mutating func beginGroup() throws(InputError) {
        group += 1
        var pages: [Range<Int>] = []
        do throws(ParquetFault) {
            var cursor = ThriftCursor(footer.bytes.span, at: footerOffset)
            let rows = try ParquetRowGroup(&cursor, of: columns, judged: judged)
            footerOffset = cursor.offset
            totalLeft -= rows.rowCount
            guard totalLeft >= 0 else {
                throw .tooLarge("the file claims more rows than its \(file.size) bytes can hold")
            }
            let isSkipped = skip.leavesOut(rows)
            rowsSkipped += isSkipped ? rows.rowCount : 0
            rowsLeft = isSkipped ? 0 : rows.rowCount
            walks = []
            // Without rows there are no pages, and their places are meaningless.
            for (chunk, column) in zip(rows.chunks, columns) where rowsLeft > 0 {
                let range = try chunk.range(in: file.size, of: column.field.name)
                walks.append(PageWalk(range, rows: rowsLeft, codec: chunk.codec, of: column))
                pages.append(range)
            }
        } catch {
            throw file.malformed(error, at: "footer, row group \(group)")
        }
        try file.expect(pages)
    }
}

/// An iterator over the pages of a column in a row group.
private struct PageWalk: Sendable {
    private let column: ParquetColumn
    private let codec: Int
    private let end: Int
    private var offset: Int
    /// The number of the row group's rows on later pages.
    private var rowsLeft: Int
    private var dictionary: ParquetPage?
    private var page: ParquetPage?
    /// The number of the page's rows already taken.
    private var taken = 0

    init(_ range: Range<Int>, rows: Int, codec: Int, of column: ParquetColumn) {
        rowsLeft = rows
        self.column = column
        self.codec = codec
        offset = range.lowerBound
        end = range.upperBound
    }

    /// The pages of the next rows.
    mutating func take(
        _ count: Int, from file: InputFile
    ) throws(ParquetFault) -> [(page: ParquetPage, rows: Range<Int>)] {
        var parts: [(page: ParquetPage, rows: Range<Int>)] = []
        var left = count
        while left > 0 {
            guard let page, taken < page.header.count else {
                page = try nextPage(of: file)
                taken = 0
                continue
            }
            let rows = taken..<min(taken + left, page.header.count)
            parts.append((page, rows))
            taken = rows.upperBound
            left -= rows.count
        }
        return parts
    }

    private mutating func nextPage(of file: InputFile) throws(ParquetFault) -> ParquetPage {
        while true {
            guard offset < end else { throw .outOfBounds("the last page") }
            let header = try header(in: file)
            let start = offset + header.byteCount
            guard header.packedSize <= end - start else { throw .outOfBounds("a page") }
            offset = start + header.packedSize
            let page = ParquetPage(
                header, of: column, codec: codec, in: file, at: start, dictionary: dictionary)
            switch header.kind {
            case .data, .data2:
                rowsLeft -= header.count
                guard rowsLeft >= 0 else {
                    throw .badPage("pages have more values than their row group has rows")
                }
                return page
            case .dictionary:
                guard dictionary == nil else { throw .badPage("there are two dictionaries") }
                dictionary = page
            case .index: break
            }
        }
    }

    /// Only the end of a header reveals its length, and it includes the least and the greatest value.
    private func header(in file: InputFile) throws(ParquetFault) -> ParquetPageHeader {
        var size = 1 << 9
        while true {
            let count = min(size, end - offset)
            let bytes: [UInt8]
            do { bytes = try file.bytes(offset..<offset + count) } catch {
                throw .outOfBounds("a page's header")
            }
            do {
                return try ParquetPageHeader(bytes.span)
            } catch {
                guard case .badThrift = error, count == size, size < 1 << 24 else { throw error }
                size *= 8
            }
        }
    }
}
