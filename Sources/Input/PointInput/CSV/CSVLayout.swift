/// The layout of a table: its dialect, its header, and the role of each column.
struct CSVLayout: Sendable {
    enum Role: Sendable { case attribute, x, y, geometry, geohash }

    let delimiter: UInt8
    /// The names of the columns; `column1` and so on if there is no header.
    let names: [String]
    let roles: [Role]
    /// The offset of the first row of data.
    let start: Int
}

extension CSVLayout {
    /// Names of columns with a geometry as text, the most certain first.
    private static let geometryNames = [
        "wkt", "geojson", "geometry", "geom", "thegeom", "geog", "wkbgeometry", "wkb", "ewkb",
        "ewkt",
        "shape", "point", "location",
    ]

    /// Reads the header of a table from its first bytes.
    ///
    /// A row with a number is one of data, unless the columns of the coordinates are among its cells, or it is
    /// certain that there is a header.
    init(
        _ start: ByteCursor, input: String, options: InputOptions, hasHeader: Bool = false
    ) throws(InputError) {
        var bytes = start
        bytes.skipByteOrderMark()
        let stated = bytes.skipSeparatorLine()
        let first = bytes
        delimiter = stated ?? Self.delimiter(in: first)
        try Self.checkLineEnds(first, input: input)
        var cells: [String] = []
        var cell = CSVCell()
        repeat {
            guard case .read = bytes.cell(&cell, delimiter: delimiter) else {
                throw Self.unreadableHeader(first, input: input)
            }
            cells.append(String(decoding: cell.text(bytes), as: UTF8.self))
        } while bytes.skipDelimiter(delimiter)
        bytes.skipLineEnd()
        let hasNumber = cells.contains { NumberText.value(of: $0) != nil }
        let named = hasNumber ? try? Self.roles(of: cells, input: input, options: options) : nil
        let isHeader = hasHeader || options.isPlaceless || !hasNumber || named != nil
        names = try Self.names(cells, isHeader: isHeader, input: input)
        self.start = isHeader ? bytes.offset : first.offset
        do throws(InputError) {
            if let named {
                roles = named
            } else {
                roles = try Self.roles(of: names, input: input, options: options)
            }
        } catch {
            guard !isHeader else { throw error }
            throw .ambiguous(
                input: input,
                problem: "row 1 has a number and names no coordinates, so it is no header",
                advice: InputError.noCoordinates(input: input, available: names).advice ?? "")
        }
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
        return .malformed(
            input: input, location: "line 1", problem: "the header's quotes do not match")
    }

    /// The role of each column by its name.
    private static func roles(
        of names: [String], input: String, options: InputOptions
    ) throws(InputError) -> [Role] {
        var roles = names.map { _ in Role.attribute }
        if options.isPlaceless { return roles }
        if let (x, y) = try CoordinateNames.pair(among: names, options, input: input), x != y {
            roles[x] = .x
            roles[y] = .y
        } else if let geometry = CoordinateNames.column(named: geometryNames, among: names) {
            roles[geometry] = .geometry
        } else if let geohash = CoordinateNames.column(named: ["geohash"], among: names) {
            roles[geohash] = .geohash
        } else {
            throw .noCoordinates(input: input, available: names)
        }
        return roles
    }

    /// The most frequent delimiter in the first line, outside of quotes.
    private static func delimiter(in start: ByteCursor) -> UInt8 {
        var counts: [UInt8: Int] = [:]
        var isQuoted = false
        for index in start.offset..<start.end {
            let byte = start[index]
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
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
