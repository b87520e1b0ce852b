import Points

/// A table from which points get attributes by a code: `codes.csv:key=column`.
public final class JoinTable: Sendable {
    /// The points' attribute with the key.
    let column: String
    /// The table's name in messages.
    let name: String
    /// The columns that become attributes.
    let names: [String]
    private let rows: [String: [AttributeValue?]]
    /// What is to be said about the table.
    let notes: [String]

    /// Reads a table of any size that fits in memory.
    /// - Parameters:
    ///   - source: a CSV table with a header.
    ///   - key: its column with the codes, all of them different.
    ///   - column: the points' attribute with the same codes, in the same spelling.
    ///   - options: the options of reading: threads, the encoding.
    public init(
        reading source: PointSource, key: String, column: String, options: InputOptions
    ) throws(InputError) {
        // As the names of columns.
        let key = key.withoutMarks
        var own = options.forLookUp
        own.format = .csv
        own.isPlaceless = true
        own.encoding = options.encoding
        own.quotes = options.quotes
        own.noData = options.noData
        // Codes are compared as texts, even if they look like numbers.
        own.kinds = [key: .text]
        let (table, report) = try PointTable.read([source], options: own)
        let all = table.attributes.keys.names
        guard all.contains(key) else {
            throw .noSuchColumn(input: source.name, column: key, available: all)
        }
        names = all.filter { $0 != key }
        var rows: [String: [AttributeValue?]] = [:]
        for row in 0..<table.count {
            guard let code = table.attributes.value(of: key, row: row)?.spelling else { continue }
            let values = names.map { table.attributes.value(of: $0, row: row) }
            guard rows.updateValue(values, forKey: code) == nil else {
                throw .ambiguous(
                    input: source.name,
                    problem: "has more than one row whose \(key) is \(Snippet.of(code))",
                    advice: "keep one of them, or join by another column")
            }
        }
        self.rows = rows
        notes = report.notes
        self.column = column
        name = source.name
    }

    /// The values of a row, in the order of `names`.
    subscript(code: String) -> [AttributeValue?]? { rows[code] }
}

extension PointBuilder {
    /// Adds the joined table's attributes to the current record.
    mutating func addJoined(from table: JoinTable) {
        guard let code = joinCode, let values = table[code] else { return report.unjoined += 1 }
        for (attribute, value) in zip(joinedAttributes, values) {
            guard let value else { continue }
            add(attribute, value)
        }
    }
}
