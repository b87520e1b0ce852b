import Points

/// A table of codes by which points get more attributes: `codes.csv:key=column`.
public final class JoinTable: Sendable {
    /// The attribute of points that has the key.
    let column: String
    /// What messages call the table.
    let name: String
    /// The columns that become attributes.
    let names: [String]
    private let rows: [String: [AttributeValue?]]

    /// Reads a table of any size that memory holds.
    /// - Parameters:
    ///   - source: a table with a header, as CSV.
    ///   - key: its column that says which points a row is for; each value stands there once.
    ///   - column: the attribute of points with the same values, spelled alike.
    ///   - options: how it is read: threads, the encoding.
    public init(
        reading source: PointSource, key: String, column: String, options: InputOptions
    ) throws(InputError) {
        var own = InputOptions()
        own.format = .csv
        own.isPlaceless = true
        own.tellsOddPlaces = false
        own.encoding = options.encoding
        own.threads = options.threads
        own.temporaryDirectory = options.temporaryDirectory
        own.isCancelled = options.isCancelled
        // A code is spelled as it is, whatever others look like.
        own.kinds = [key: .text]
        let (table, _) = try PointTable.read([source], options: own)
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
        self.column = column
        name = source.name
    }

    /// The values of a row, in the order of `names`.
    subscript(code: String) -> [AttributeValue?]? { rows[code] }
}

extension PointBuilder {
    /// Adds what the table to be joined has for the record at hand.
    mutating func addJoined(from table: JoinTable) {
        guard let code = joinCode, let values = table[code] else { return report.unjoined += 1 }
        for (attribute, value) in zip(joinedAttributes, values) {
            guard let value else { continue }
            add(attribute, value)
        }
    }
}
