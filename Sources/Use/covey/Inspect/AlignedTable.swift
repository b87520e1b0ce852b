/// A table of text with aligned columns, for a terminal.
struct AlignedTable {
    enum Alignment { case left, right }

    struct Column {
        var title: String
        var alignment: Alignment
        /// The least width, so that rows which are printed one by one are aligned.
        var width: Int

        init(_ title: String, _ alignment: Alignment = .right, width: Int = 0) {
            self.title = title
            self.alignment = alignment
            self.width = max(width, title.count)
        }
    }

    private var columns: [Column]
    private var rows: [[String]] = []

    /// The greatest width of a line: the initial width of most terminals.
    static let lineWidth = 80
    private static let gap = 2

    init(_ columns: [Column]) { self.columns = columns }

    mutating func add(_ cells: [String]) {
        rows.append(cells)
        for (index, cell) in cells.enumerated() {
            columns[index].width = max(columns[index].width, cell.count)
        }
    }

    var heading: String { line(columns.map(\.title)) }

    /// The heading and all rows; a last column that does not fit is cut.
    var lines: [String] { rows.isEmpty ? [] : [heading] + rows.map(line) }

    /// A row in the present columns.
    func line(_ cells: [String]) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            if index > 0 { line += String(repeating: " ", count: Self.gap) }
            let padding = String(repeating: " ", count: max(0, columns[index].width - cell.count))
            switch columns[index].alignment {
            case .right: line += padding + cell
            case .left where index == cells.count - 1: line += cell
            case .left: line += cell + padding
            }
        }
        return line.cut(to: Self.lineWidth)
    }
}

extension String {
    /// The text, shortened with an ellipsis if it is longer.
    func cut(to width: Int) -> String { count > width ? prefix(width - 1) + "…" : self }

    /// Breaks the text at spaces into lines of a width; all but the first are indented.
    func wrapped(to width: Int, indent: Int) -> String {
        var lines: [Substring] = []
        var rest = self[...]
        while let end = rest.index(
            rest.startIndex, offsetBy: width - (lines.isEmpty ? 0 : indent),
            limitedBy: rest.endIndex), end < rest.endIndex
        {
            let line = rest[...end]
            // Lines are not broken at leading spaces, and a word that is too long for a line stays whole.
            let start = line.firstIndex { $0 != " " } ?? line.startIndex
            guard
                let space = line[start...].lastIndex(of: " ") ?? rest[end...].firstIndex(of: " ")
            else { break }
            lines.append(rest[..<space])
            rest = rest[rest.index(after: space)...]
        }
        lines.append(rest)
        return lines.joined(separator: "\n" + String(repeating: " ", count: indent))
    }
}
