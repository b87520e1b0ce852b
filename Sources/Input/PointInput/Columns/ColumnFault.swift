/// A fault in the values of a column.
enum ColumnFault: Error, Equatable {
    case noDictionary
    /// An index that is not in the dictionary.
    case badIndex
    case textsTooLarge(rows: Int, bytes: Int)
}

extension ColumnFault: CustomStringConvertible {
    var description: String {
        switch self {
        case .noDictionary: "values are indexes, but there is no dictionary of plain values"
        case .badIndex: "a value is an index beyond its dictionary"
        case .textsTooLarge(let rows, let bytes):
            "the texts of \(rows) rows are \(bytes) bytes, which is too large"
        }
    }
}
