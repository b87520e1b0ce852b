/// Parses the rows of a table into points, directly from bytes to packed attributes.
struct CSVParser: PieceParser {
    typealias Cutter = CSVCutter

    var builder: PointBuilder
    /// The kinds that this worker assumes for the columns; they widen with the cells it sees.
    var kinds: CSVKinds
    let layout: CSVLayout
    let attributes: [InputAttribute]
    /// How the cells of most rows are read; remade when the kinds change.
    var plans: [CSVPlan] = []
    var bytes = ByteCursor.empty
    var cell = CSVCell()
    var coordinates = Coordinates()
    var plannedChange = 0
    /// Whether a row had fewer cells than the header.
    private var hasShortRow = false
    /// Whether a cell shows that quotes are letters, which the layout does not say.
    var isDoubtful = false
    /// Whether coordinates are not simply numbers in two cells.
    let looksCloser: Bool
    /// Whether some values mean none.
    let hasNoData: Bool
    private let whenDone: (CSVKinds) -> Void

    /// The coordinates of the current row.
    struct Coordinates {
        var x: Double?
        var y: Double?
        var positions: [Double] = []
        var fault: (RejectReason, String)?

        mutating func clear() {
            (x, y, fault) = (nil, nil, nil)
            if !positions.isEmpty { positions.removeAll(keepingCapacity: true) }
        }
    }

    /// `whenDone` receives the kinds after each piece.
    init(
        _ builder: PointBuilder, layout: CSVLayout, kinds: CSVKinds,
        whenDone: @escaping (CSVKinds) -> Void = { _ in }
    ) {
        var builder = builder
        attributes = layout.names.map { builder.attribute(named: $0) }
        self.builder = builder
        self.layout = layout
        hasNoData = !builder.options.noData.isEmpty
        looksCloser =
            hasNoData
            || layout.roles.contains { [.geometry, .latitudeFirst, .geohash].contains($0) }
        self.kinds = kinds
        self.whenDone = whenDone
        makePlans()
    }

    mutating func parse(_ bytes: ByteCursor, _ context: Void) {
        self.bytes = bytes
        while !self.bytes.isAtEnd, !builder.isStopped {
            if !parsePlainRow() { parseRow() }
            if kinds.changeCount != plannedChange { makePlans() }
        }
        whenDone(kinds)
    }

    /// Reads any row, cell by cell.
    private mutating func parseRow() {
        // An empty line is not a row.
        if bytes.byte == 0x0A || bytes.byte == 0x0D { return bytes.advance() }
        let start = bytes.offset
        builder.begin(at: start)
        coordinates.clear()
        var column = 0
        repeat {
            guard column < attributes.count else {
                // Nothing is lost with an empty cell behind a last delimiter.
                if bytes.isAtLineEnd { break }
                return rejectRow(.syntax, "has more cells than the header", from: start)
            }
            guard parseCell(column, from: start) else { return }
            column += 1
        } while bytes.skipDelimiter(layout.delimiter)
        if column < attributes.count {
            // Some programs leave out blank cells at the ends of rows, but then of several; others end tables with
            // blanks or Ctrl-Z.
            guard
                !bytes.isAtEnd || hasShortRow
                    || (start..<bytes.offset).allSatisfy({ bytes[$0] <= 0x20 })
            else {
                return rejectRow(
                    .truncated, "ends with the input, before its last cell", from: start,
                    remedy: "check that whatever writes it has finished; if so, end its last line")
            }
            hasShortRow = true
        }
        bytes.skipLineEnd()
        finishRow()
    }

    @inline(__always)
    mutating func parseCell(_ column: Int, from start: Int) -> Bool {
        switch layout.roles[column] {
        case _ where hasNoData: break
        case .attribute where kinds[column] == .number:
            if parseNumber(column) { return true }
        case .x:
            coordinates.x = parseCoordinate()
            if coordinates.x != nil { return true }
        case .y:
            coordinates.y = parseCoordinate()
            if coordinates.y != nil { return true }
        default: break
        }
        return parseOther(column, from: start)
    }

    /// Reads a number that fills its cell; otherwise the cursor does not move.
    @inline(__always)
    private mutating func parseNumber(_ column: Int) -> Bool {
        var after = bytes
        guard let number = after.number(), endsCell(after), after.holds(number),
            number.isWhole || !kinds.hasDecimalCommas
        else { return false }
        builder.add(attributes[column], number, from: bytes)
        bytes = after
        return true
    }

    @inline(__always)
    private mutating func parseCoordinate() -> Double? {
        var after = bytes
        guard let number = after.number(), endsCell(after) else { return nil }
        bytes = after
        return bytes.double(of: number)
    }

    @inline(__always)
    private func endsCell(_ bytes: ByteCursor) -> Bool {
        bytes.byte == layout.delimiter || bytes.isAtLineEnd
    }

    mutating func finishRow() {
        if let (reason, problem) = coordinates.fault {
            return builder.endWithoutPoint(reason, problem)
        }
        if !coordinates.positions.isEmpty { return builder.end(positions: coordinates.positions) }
        if builder.options.isPlaceless { return builder.end(x: 0, y: 0) }
        guard let x = coordinates.x, let y = coordinates.y else {
            return builder.reject(.noLocation, "has no coordinates")
        }
        builder.end(x: x, y: y)
    }
}

// MARK: - Cells of other kinds

extension CSVParser {
    /// Reads any cell; false if the row was rejected.
    private mutating func parseOther(_ column: Int, from start: Int) -> Bool {
        let (first, hasQuotes) = (bytes.offset, layout.quotes != .letters)
        let isQuoted = hasQuotes && bytes.byte == UInt8(ascii: "\"")
        let outcome = bytes.cell(&cell, delimiter: layout.delimiter, hasQuotes: hasQuotes)
        if isQuoted, !checkQuoted(outcome, from: start, first) {
            rejectRow(.syntax, "has quotes that are letters", from: start)
            builder.isStopped = true
            return false
        }
        switch outcome {
        case .read: break
        case .unclosed:
            rejectRow(
                .truncated, "has a quoted cell that is never closed", from: start,
                remedy: quoteRemedy)
            return false
        case .textBehindQuote:
            rejectRow(
                .syntax, "has text after the closing quote of a cell", from: start,
                remedy: quoteRemedy)
            return false
        case .invalidUTF8:
            let text = Snippet.of(bytes.span(cell.range))
            rejectRow(.invalidUTF8, "is not valid UTF-8 at \(text)", from: start)
            return false
        }
        guard !cell.range.isEmpty, !isNoData else { return true }
        switch layout.roles[column] {
        case .attribute: addAttribute(column)
        case .x: coordinates.x = looseCoordinate("longitude")
        case .y: coordinates.y = looseCoordinate("latitude")
        case .geometry: readGeometry()
        case .latitudeFirst: readLatitudeFirst()
        case .geohash: readGeohash()
        }
        return true
    }

    private mutating func addAttribute(_ column: Int) {
        let attribute = attributes[column]
        if layout.moments.contains(column) {
            let text = String(copying: bytes.span(cell.range))
            return builder.add(attribute, .text(GDALLayer.moment(text)))
        }
        if builder.isConverted(attribute) {
            if let number = commaNumber(for: attribute) {
                return builder.add(attribute, number: number)
            }
        } else if !kinds.isSettled(column) {
            let (number, text) = (wholeCellNumber, tidyCell)
            let found = look(of: text, number)
            // Without coordinates that show it, a comma that groups nothing does.
            if found == .comma, !layout.roles.contains(.x), isSurelyDecimal(text) {
                kinds.noteDecimalComma()
            }
            kinds.see(found, in: column)
            switch kinds[column] {
            case .number:
                // A whole number is packed as in a column without commas.
                if let number { return builder.add(attribute, number, from: bytes) }
                if found != .comma, let number = NumberText.value(of: text) {
                    return builder.add(attribute, number)
                }
                if let number = CoordinateText.decimalComma(text) {
                    return builder.add(attribute, number: number)
                }
            case .bool:
                return builder.add(
                    attribute, bool: bytes[cell.range.lowerBound] | 0x20 == UInt8(ascii: "t"))
            case .text, .unknown: break
            }
        }
        if cell.hasDoubledQuotes {
            let text = cell.text(bytes)
            builder.add(attribute, utf8: text.span)
        } else {
            builder.add(attribute, utf8: bytes.span(cell.range))
        }
    }

    /// Rejects the row and continues after the end of its line.
    private mutating func rejectRow(
        _ reason: RejectReason, _ problem: String, from start: Int, remedy: String? = nil
    ) {
        let text = bytes.span(start..<min(start + 60, bytes.end))
        builder.reject(reason, "\(problem); it starts with \(Snippet.of(text))")
        if let remedy { builder.failure?.remedy = remedy }
        if reason == .truncated { bytes.move(to: start) }
        while !bytes.isAtEnd, bytes.byte != 0x0A { bytes.advance() }
        bytes.skipLineEnd()
    }
}
