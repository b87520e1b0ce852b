/// What the columns of a table are: its dialect, its header, and what each column is for.
struct CSVLayout: Sendable {
    enum Role: Sendable { case attribute, x, y, geometry }

    let delimiter: UInt8
    /// The names of the columns; `column1` and so on where there is no header.
    let names: [String]
    private(set) var roles: [Role]
    /// Where the first row of data starts.
    let start: Int
}

extension CSVLayout {
    /// Names of columns with a geometry as text, the surest first.
    private static let geometryNames = [
        "wkt", "geojson", "geometry", "geom", "the_geom", "geog", "point", "location",
    ]

    /// Reads the header of a table from its first bytes.
    init(_ start: ByteCursor, input: String, options: InputOptions) throws(InputError) {
        var bytes = start
        bytes.skipByteOrderMark()
        let first = bytes
        delimiter = Self.delimiter(in: first)
        var cells: [String] = []
        var cell = CSVCell()
        repeat {
            guard case .read = bytes.cell(&cell, delimiter: delimiter) else {
                throw .malformed(
                    input: input, location: "line 1", problem: "the header is no valid CSV in UTF-8"
                )
            }
            cells.append(String(decoding: cell.text(bytes), as: UTF8.self))
        } while bytes.skipDelimiter(delimiter)
        bytes.skipLineEnd()
        // A row with numbers in it is data, not names.
        let isHeader = !cells.contains { NumberText.value(of: $0) != nil }
        names = isHeader ? cells : cells.indices.map { "column\($0 + 1)" }
        roles = names.map { _ in .attribute }
        self.start = isHeader ? bytes.offset : first.offset
        try findCoordinates(input: input, options: options)
    }

    private mutating func findCoordinates(
        input: String, options: InputOptions
    ) throws(InputError) {
        for wanted in [options.xColumn, options.yColumn] {
            if let wanted, !names.contains(wanted) {
                throw .noSuchColumn(input: input, column: wanted, available: names)
            }
        }
        let x =
            options.xColumn.flatMap(names.firstIndex)
            ?? CoordinateNames.column(named: CoordinateNames.x, among: names)
        let y =
            options.yColumn.flatMap(names.firstIndex)
            ?? CoordinateNames.column(named: CoordinateNames.y, among: names)
        if let x, let y, x != y {
            roles[x] = .x
            roles[y] = .y
        } else if let geometry = CoordinateNames.column(
            named: Self.geometryNames, among: names)
        {
            roles[geometry] = .geometry
        } else {
            throw .noCoordinates(input: input, available: names)
        }
    }

    /// The delimiter that the first line has most of, outside of quotes.
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
        // The first of equals wins, so that a table of one column is taken as comma-separated.
        return candidates.reduce(candidates[0]) {
            counts[$1, default: 0] > counts[$0, default: 0] ? $1 : $0
        }
    }
}
