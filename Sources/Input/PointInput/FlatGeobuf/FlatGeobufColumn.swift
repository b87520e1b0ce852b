/// A column that a FlatGeobuf file declares.
package struct FlatGeobufColumn: Equatable, Sendable {
    package var name: String
    package var kind: Kind
    package var isPrimaryKey: Bool

    package init(name: String, kind: Kind, isPrimaryKey: Bool = false) {
        self.name = name
        self.kind = kind
        self.isPrimaryKey = isPrimaryKey
    }

    /// The types of the published schema, in its order.
    package enum Kind: UInt8, Sendable {
        case int8, uint8, bool, int16, uint16, int32, uint32, int64, uint64, float, double
        case text, json, dateTime, binary

        /// The size of a value in bytes, if it is fixed.
        var size: Int? {
            switch self {
            case .int8, .uint8, .bool: 1
            case .int16, .uint16: 2
            case .int32, .uint32, .float: 4
            case .int64, .uint64, .double: 8
            case .text, .json, .dateTime, .binary: nil
            }
        }
    }

    /// The columns declared in a field of a header or a feature.
    static func list(
        in table: borrowing FlatTable, field: Int, byteCount: Int
    ) throws(FlatGeobufFault) -> [FlatGeobufColumn] {
        let count = try table.tableCount(field)
        // Properties refer to their column by a 16-bit number.
        guard count <= 1 << 16 else { throw .tooManyColumns(count) }
        var columns: [FlatGeobufColumn] = []
        var nameBytes = 0
        for index in 0..<count {
            let column = try table.table(field, at: index)
            let type: UInt8 = try column.integer(1, default: 0)
            guard let kind = Kind(rawValue: type) else {
                throw .unknownColumnType(type, column: index)
            }
            let name = try column.text(0) ?? ""
            // Overlapping names could make a small file take unlimited memory.
            nameBytes += name.utf8.count
            guard nameBytes <= 3 * byteCount else { throw .tooManyColumns(count) }
            let isKey: UInt8 = try column.integer(9, default: 0)
            columns.append(.init(name: name, kind: kind, isPrimaryKey: isKey != 0))
        }
        return columns
    }
}
