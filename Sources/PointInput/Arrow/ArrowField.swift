/// A column that an Arrow schema declares.
struct ArrowField {
    var name: String
    var kind: Kind

    enum Kind: Equatable {
        case nothing
        case integer(bytes: Int, isSigned: Bool)
        case float, double, bool
        case text(isLarge: Bool)
        case binary(isLarge: Bool)
        /// Days since 1970, or milliseconds.
        case date(inDays: Bool)
        /// So many of these make a second.
        case timestamp(perSecond: Int64, isUTC: Bool)
        /// Values of one size that no attribute can hold.
        case other

        /// How many buffers a column has in a batch.
        var bufferCount: Int {
            switch self {
            case .nothing: 0
            case .text, .binary: 3
            default: 2
            }
        }

        /// How many bytes a value has, where that is fixed.
        var size: Int? {
            switch self {
            case .integer(let bytes, _): bytes
            case .float: 4
            case .date(let inDays): inDays ? 4 : 8
            case .double, .timestamp: 8
            case .nothing, .bool, .text, .binary, .other: nil
            }
        }

        var isNumber: Bool {
            switch self {
            case .integer, .float, .double: true
            default: false
            }
        }
    }

    /// The columns of a schema's table, whose fields are 0 byte order and 1 columns.
    static func list(in schema: borrowing FlatTable) throws -> [ArrowField] {
        let order: Int16 = try schema.integer(0, default: 0)
        guard order == 0 else { throw ArrowFault.bigEndian }
        var fields: [ArrowField] = []
        for index in 0..<(try schema.tableCount(1)) {
            fields.append(try ArrowField(schema.table(1, at: index)))
        }
        return fields
    }

    /// A column's table: 0 name, 2 kind of type, 3 type, 4 dictionary.
    private init(_ table: borrowing FlatTable) throws {
        let name = try table.text(0) ?? ""
        self.name = name
        if try table.table(4) != nil { throw ArrowFault.dictionary(column: name) }
        let code: UInt8 = try table.integer(2, default: 0)
        guard let type = try table.table(3) else {
            throw ArrowFault.badMessage("the column \(name) has no type")
        }
        kind = try Self.kind(code, type, of: name)
    }

    /// Numbered as Arrow's Schema.fbs does.
    private static func kind(
        _ code: UInt8, _ type: borrowing FlatTable, of column: String
    ) throws -> Kind {
        switch code {
        case 1: return .nothing
        case 2:
            let bits: Int32 = try type.integer(0, default: 0)
            let isSigned: UInt8 = try type.integer(1, default: 0)
            guard [8, 16, 32, 64].contains(bits) else { return .other }
            return .integer(bytes: Int(bits) / 8, isSigned: isSigned != 0)
        case 3:
            let precision: Int16 = try type.integer(0, default: 0)
            return precision == 2 ? .double : precision == 1 ? .float : .other
        case 4, 19: return .binary(isLarge: code == 19)
        case 5, 20: return .text(isLarge: code == 20)
        case 6: return .bool
        case 8:
            let unit: Int16 = try type.integer(0, default: 1)
            return .date(inDays: unit == 0)
        case 10:
            let unit: Int16 = try type.integer(0, default: 0)
            let scales: [Int64] = [1, 1_000, 1_000_000, 1_000_000_000]
            guard scales.indices.contains(Int(unit)) else { return .other }
            let zone = try type.text(1) ?? ""
            return .timestamp(perSecond: scales[Int(unit)], isUTC: !zone.isEmpty)
        case 7, 9, 11, 15, 18: return .other
        default:
            let names: [UInt8: String] = [
                12: "lists", 13: "structures", 14: "unions", 16: "lists", 17: "maps", 21: "lists",
                22: "run-end encoded values", 23: "views of bytes", 24: "views of texts",
                25: "lists", 26: "lists",
            ]
            throw ArrowFault.nested(
                column: column, kind: names[code] ?? "values of the unknown type \(code)")
        }
    }
}
