/// A node of a Parquet schema: a column, or a group of them.
struct ParquetElement: Sendable {
    /// The physical type of a column's values in pages (`Type` in parquet.thrift).
    enum Physical: Int, Sendable {
        case bool, int32, int64, int96, float, double, bytes, fixed
    }
    enum Repetition: Int, Sendable { case required, optional, repeated }

    private(set) var name = ""
    private(set) var physical: Physical?
    private(set) var size = 0
    private(set) var repetition = Repetition.required
    private(set) var childCount = 0
    private(set) var scale = 0
    /// The values' meaning as programs before 2017 wrote it (`ConvertedType`).
    private(set) var converted: Int?
    private(set) var logical: Logical?

    /// The values' meaning (`LogicalType`).
    enum Logical: Equatable, Sendable {
        case text, list, map, uuid, half, date, null
        case decimal(scale: Int)
        case timestamp(perSecond: Int64, isUTC: Bool)
        case integer(bits: Int, isSigned: Bool)
        case geometry(crs: String?)
        case other
    }

    init(_ cursor: inout ThriftCursor) throws(ParquetFault) {
        var id = 0
        while let kind = try cursor.field(&id) {
            switch id {
            case 1:
                let number = try cursor.integer(kind)
                guard let physical = Physical(rawValue: number) else {
                    throw .badSchema("the type \(number) is unknown")
                }
                self.physical = physical
            case 2: size = try cursor.integer(kind)
            case 3: repetition = Repetition(rawValue: try cursor.integer(kind)) ?? .required
            case 4: name = try cursor.text(kind)
            case 5: childCount = try cursor.integer(kind)
            case 6: converted = try cursor.integer(kind)
            case 7: scale = try cursor.integer(kind)
            case 10: logical = try Self.logical(&cursor, kind)
            default: try cursor.skip(kind)
            }
        }
        guard childCount >= 0, size >= 0 else {
            throw .badSchema("the column \(name) has a negative size")
        }
    }

    private static func logical(
        _ cursor: inout ThriftCursor, _ kind: ThriftCursor.Kind
    ) throws(ParquetFault) -> Logical? {
        try cursor.expect(kind, .structure)
        var logical: Logical?
        var id = 0
        while let kind = try cursor.field(&id) {
            try cursor.expect(kind, .structure)
            let parts = try Parts(&cursor)
            switch id {
            case 1, 4, 12: logical = .text
            case 2: logical = .map
            case 3: logical = .list
            case 5: logical = .decimal(scale: parts.first ?? 0)
            case 6: logical = .date
            case 8: logical = .timestamp(perSecond: parts.perSecond, isUTC: parts.isTrue)
            case 10: logical = .integer(bits: parts.first ?? 0, isSigned: parts.isTrue)
            case 11: logical = .null
            case 14: logical = .uuid
            case 15: logical = .half
            case 17, 18: logical = .geometry(crs: parts.text)
            default: logical = .other
            }
        }
        return logical
    }

    /// The members of all logical types: a number, a truth value, a text, and a unit of time.
    private struct Parts {
        var first: Int?
        var isTrue = false
        var text: String?
        var perSecond: Int64 = 1_000

        init(_ cursor: inout ThriftCursor) throws(ParquetFault) {
            var id = 0
            while let kind = try cursor.field(&id) {
                switch kind {
                case .yes, .no: isTrue = kind == .yes
                case .byte, .int32:
                    let number = try cursor.integer(kind)
                    if id == 1 { first = number }
                case .binary:
                    let text = try cursor.text(kind)
                    if id == 1 { self.text = text }
                case .structure:
                    var unit = 0
                    while let kind = try cursor.field(&unit) {
                        try cursor.skip(kind)
                        perSecond = unit == 1 ? 1_000 : unit == 2 ? 1_000_000 : 1_000_000_000
                    }
                default: try cursor.skip(kind)
                }
            }
        }
    }
}
