/// Columns of text under a header, numbers flush right.
struct TextTable {
    private let header: [String]
    private let rows: [[String]]

    init(header: [String], rows: [[String]]) {
        self.header = header
        self.rows = rows
    }

    var text: String {
        let widths = header.indices.map { column in
            ([header] + rows).map { $0[column].count }.max() ?? 0
        }
        return ([header] + rows).map { row in
            zip(row, widths).map { cell, width in
                String(repeating: " ", count: width - cell.count) + cell
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
