/// The layout of a table: its dialect, its header, and the role of each column.
struct CSVLayout: Sendable {
    /// `latitudeFirst` is a column with both, as `48.85, 2.35`.
    enum Role: Sendable { case attribute, x, y, geometry, latitudeFirst, geohash }

    let delimiter: UInt8
    /// What quotes mean; `auto` if a cell may still show that they are letters.
    let quotes: TableQuotes
    /// The names of the columns; `column1` and so on if there is no header.
    let names: [String]
    let roles: [Role]
    /// The columns whose texts are moments as GDAL spells them.
    let moments: Set<Int>
    /// What the report says about the choice of columns and their names.
    let notes: [String]
    /// The offset of the first row of data.
    let start: Int
}

extension CSVLayout {
    /// Reads the header of a table from its first bytes.
    ///
    /// A row with a number is one of data, unless the columns of the coordinates are among its cells, or it is
    /// certain that there is a header.
    init(
        _ start: ByteCursor, input: String, options: InputOptions, moments: Set<String>? = nil
    ) throws(InputError) {
        let hasHeader = moments != nil
        var bytes = start
        bytes.skipByteOrderMark()
        let stated = bytes.skipSeparatorLine()
        bytes.skipBlankLines()
        if bytes.isAtEnd { throw .empty(input: input) }
        let first = bytes
        let hasQuotes = options.quotes != .letters
        delimiter = stated ?? Self.delimiter(in: first, hasQuotes: hasQuotes)
        try Self.checkLineEnds(first, input: input)
        guard let cells = bytes.row(delimiter, hasQuotes: hasQuotes) else {
            throw Self.unreadableHeader(first, input: input)
        }
        // A header in quotes shows that cells may be, too.
        let header = first.span(first.offset..<bytes.offset)
        let isSure =
            delimiter != 0x09 || header.indices.contains { header[$0] == 0x22 }
            || bytes.showsQuotedCells(cells.count, delimiter)
        quotes = options.quotes == .auto && isSure ? .cells : options.quotes
        let hasNumber = Self.hasNumber(cells)
        let named =
            hasNumber
            ? try? Self.choice(of: cells, values: [], input: input, options: options) : nil
        let isHeader = hasHeader || options.isPlaceless || !hasNumber || named != nil
        do throws(InputError) {
            names = try Self.names(
                cells.map(\.withoutMarks), isHeader: isHeader, input: input)
            let columns = names
            self.moments = Set(columns.indices.filter { moments?.contains(columns[$0]) ?? false })
            let rows = isHeader ? bytes : first
            self.start = rows.offset
            let choice = try Self.choice(
                of: names, values: rows.firstValues(names.count, delimiter, hasQuotes: hasQuotes),
                input: input, options: options)
            roles = choice.roles
            notes = choice.notes + Self.notes(onMarksAround: names, in: cells)
        } catch {
            if !hasHeader, let later = Self.laterHeader(first, input, options) { throw later }
            throw isHeader ? error : Self.unnamed(cells.count, input)
        }
    }

    /// The error for a first row of data of which no column is known to be a coordinate.
    private static func unnamed(_ count: Int, _ input: String) -> InputError {
        let names = (1...count).map { "column\($0)" }
        return .ambiguous(
            input: input,
            problem: "row 1 has a number and names no coordinates, so it is no header",
            advice: InputError.noCoordinates(input: input, available: names).advice ?? "")
    }

    /// Whether a row is one of data: names are neither numbers nor geometries.
    private static func hasNumber(_ cells: [String]) -> Bool {
        cells.contains { NumberText.value(of: $0) != nil || isGeometryText($0) }
    }

    /// The error for a table whose header comes after some lines of a title.
    private static func laterHeader(
        _ first: ByteCursor, _ input: String, _ options: InputOptions
    ) -> InputError? {
        // Without coordinates, each line could be a header.
        if options.isPlaceless { return nil }
        var line = first
        for _ in 0..<10 {
            line.move(toNext: 0x0A)
            line.skipLineEnd()
            var row = line
            guard !line.isAtEnd,
                let cells = row.row(delimiter(in: line, hasQuotes: true), hasQuotes: true)
            else { continue }
            guard !hasNumber(cells),
                (try? choice(of: cells, values: [], input: input, options: options)) != nil
            else { continue }
            let number = 1 + LineCount.of(line.span(0..<line.offset))
            return .ambiguous(
                input: input, problem: "line \(number) looks like the header",
                advice:
                    "delete the lines above it, as `tail -n +\(number) FILE | covey build - …` does"
            )
        }
        return nil
    }

    /// The names of the columns: all different, with default names for those without one.
    private static func names(
        _ cells: [String], isHeader: Bool, input: String
    ) throws(InputError) -> [String] {
        var seen: Set<String> = []
        for cell in cells where isHeader && !cell.isEmpty {
            guard seen.insert(cell).inserted else {
                throw .duplicateColumn(input: input, column: cell)
            }
        }
        let hasBlanks = cells.count { $0.isEmpty } > 1
        return cells.enumerated().map { index, cell in
            isHeader && !(cell.isEmpty && hasBlanks) ? cell : "column\(index + 1)"
        }
    }

    /// What the report says if names had marks at their ends that are not theirs.
    private static func notes(onMarksAround names: [String], in cells: [String]) -> [String] {
        let marked = zip(names, cells).filter { name, cell in
            name == cell.withoutMarks && name.utf8.count < cell.utf8.count
        }
        guard !marked.isEmpty else { return [] }
        let columns = InputError.some(marked.map(\.0))
        return ["invisible characters around names of columns are no part of them: \(columns)"]
    }

    /// Rejects a text with the line ends of an old Macintosh, which would be one line of unlimited length.
    private static func checkLineEnds(
        _ start: ByteCursor, input: String
    ) throws(InputError) {
        let bytes = start.span(start.offset..<start.end)
        var hasReturn = false
        for index in bytes.indices {
            if bytes[index] == 0x0A { return }
            if bytes[index] == 0x0D, index + 1 < bytes.count { hasReturn = true }
        }
        guard hasReturn else { return }
        throw .wrongEncoding(
            input: input, found: "has lines that end in carriage returns alone",
            remedy: "tr '\\r' '\\n' < IN > OUT")
    }

    private static func unreadableHeader(_ start: ByteCursor, input: String) -> InputError {
        var line = start
        line.move(toNext: 0x0A)
        guard line.isUTF8(start.offset..<line.offset) else {
            return .ambiguous(
                input: input, problem: "has a header that is not valid UTF-8",
                advice: "name its encoding, as --encoding windows-1252 does")
        }
        return .ambiguous(
            input: input, problem: "line 1: the header's quotes do not match",
            advice: "mend them, or read quotes as letters with --quotes letters")
    }

    /// The most frequent delimiter in the first line, outside of quotes.
    private static func delimiter(in start: ByteCursor, hasQuotes: Bool) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for index in start.offset..<start.end {
            let byte = start[index]
            if hasQuotes, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if !isQuoted, byte == 0x0A { break }
            if !isQuoted { counts[byte, default: 0] += 1 }
        }
        let candidates = [",", ";", "\t", "|"].map { (sign: Unicode.Scalar) in UInt8(ascii: sign) }
        // The first of equals is chosen, so that a table with one column counts as comma-separated.
        return candidates.reduce(candidates[0]) {
            counts[$1, default: 0] > counts[$0, default: 0] ? $1 : $0
        }
    }
}

extension ByteCursor {
    /// Reads the cells of a row and the end of its line; nil if a cell is broken.
    mutating func row(_ delimiter: UInt8, hasQuotes: Bool) -> [String]? {
        var cells: [String] = []
        var cell = CSVCell()
        repeat {
            guard case .read = self.cell(&cell, delimiter: delimiter, hasQuotes: hasQuotes) else {
                return nil
            }
            cells.append(String(decoding: cell.text(self), as: UTF8.self))
        } while skipDelimiter(delimiter)
        skipLineEnd()
        return cells
    }

    /// The first value of each column in the first hundred rows.
    fileprivate func firstValues(
        _ count: Int, _ delimiter: UInt8, hasQuotes: Bool
    ) -> [String] {
        var values = [String](repeating: "", count: count)
        var rows = self
        for _ in 0..<100 where !rows.isAtEnd {
            guard let cells = rows.row(delimiter, hasQuotes: hasQuotes) else { break }
            for (column, cell) in cells.prefix(count).enumerated() where values[column].isEmpty {
                values[column] = cell.trimmingSpaces
            }
        }
        return values
    }

    fileprivate mutating func skipBlankLines() {
        while true {
            var line = self
            while line.byte == UInt8(ascii: " ") { line.advance() }
            guard !line.isAtEnd, line.isAtLineEnd else { return }
            line.skipLineEnd()
            self = line
        }
    }

    /// Skips a first line such as `sep=;`, in which spreadsheets state the delimiter.
    fileprivate mutating func skipSeparatorLine() -> UInt8? {
        var line = self
        for byte in "sep=".utf8 {
            guard line.byte | 0x20 == byte | 0x20 else { return nil }
            line.advance()
        }
        let delimiter = line.byte
        guard !line.isAtEnd, delimiter != 0x0A, delimiter != 0x0D else { return nil }
        line.advance()
        guard line.byte == 0x0A || line.byte == 0x0D else { return nil }
        line.skipLineEnd()
        self = line
        return delimiter
    }
}
