import Expressions
import JSON
import Points

/// Parquet files of a few plain columns, made by the book (parquet.thrift), with or without what row groups say
/// of their values.
struct ParquetBytes {
    enum Kind { case int32, int64, float, double, text }

    /// What is said of a column in a row group.
    enum Said: CaseIterable {
        case nothing, all, noNulls, noBounds, oldBounds
    }

    struct Column {
        var name: String
        var kind: Kind
        /// A whole number, a number or a text, as its kind is; nil for none.
        var values: [AttributeValue?]
        /// By row groups.
        var said: [Said]
    }

    var columns: [Column]
    /// How many rows each row group has.
    var groups: [Int]

    var bytes: [UInt8] {
        var file = Array("PAR1".utf8)
        var start = 0
        let descriptions = groups.enumerated().map { number, count in
            defer { start += count }
            let chunks = columns.map { column in
                let values = Array(column.values[start..<start + count])
                let offset = file.count
                file += Self.page(values, column.kind)
                return Self.chunk(
                    column, values, column.said[number], offset: offset, size: file.count - offset)
            }
            return Thrift().list(1, of: 12, chunks).long(2, 100).long(3, count).bytes
        }
        let schema =
            [Thrift().text(4, "schema").int(5, columns.count).bytes] + columns.map(Self.element)
        let footer = Thrift().int(1, 1).list(2, of: 12, schema)
            .long(3, groups.reduce(0, +)).list(4, of: 12, descriptions).bytes
        return file + footer + Self.plain(UInt32(footer.count)) + Array("PAR1".utf8)
    }

    private static func number(_ kind: Kind) -> Int {
        switch kind {
        case .int32: 1
        case .int64: 2
        case .float: 4
        case .double: 5
        case .text: 6
        }
    }

    private static func element(_ column: Column) -> [UInt8] {
        var element = Thrift().int(1, number(column.kind)).int(3, 1).text(4, column.name)
        if column.kind == .text { element = element.int(6, 0) }
        return element.bytes
    }

    private static func page(_ values: [AttributeValue?], _ kind: Kind) -> [UInt8] {
        // Whether each row has a value: runs of one.
        let levels: [UInt8] = values.flatMap { [2, $0 == nil ? 0 : 1] }
        let data =
            plain(UInt32(levels.count)) + levels
            + values.compactMap { $0 }.flatMap { value in
                let bytes = bytes(of: value, kind)
                return kind == .text ? plain(UInt32(bytes.count)) + bytes : bytes
            }
        let page = Thrift().int(1, values.count).int(2, 0).int(3, 3).int(4, 3).bytes
        return Thrift().int(1, 0).int(2, data.count).int(3, data.count).structure(5, page).bytes
            + data
    }

    private static func chunk(
        _ column: Column, _ values: [AttributeValue?], _ said: Said, offset: Int, size: Int
    ) -> [UInt8] {
        let known = values.compactMap { $0 }
        var statistics = Thrift()
        let bounds = bounds(known, column.kind)
        if said == .oldBounds, let bounds {
            statistics = statistics.binary(1, bounds.most).binary(2, bounds.least)
        }
        if said != .noNulls { statistics = statistics.long(3, values.count - known.count) }
        if said == .all || said == .noNulls, let bounds {
            statistics = statistics.binary(5, bounds.most).binary(6, bounds.least)
        }
        var meta = Thrift().int(1, number(column.kind)).list(2, of: 5, [[0]])
            .list(3, of: 8, [Thrift.sized(Array(column.name.utf8))]).int(4, 0)
            .long(5, values.count).long(6, size).long(7, size).long(9, offset)
        if said != .nothing { meta = meta.structure(12, statistics.bytes) }
        return Thrift().long(2, offset).structure(3, meta.bytes).bytes
    }

    private static func bounds(
        _ values: [AttributeValue], _ kind: Kind
    ) -> (least: [UInt8], most: [UInt8])? {
        let sorted = values.sorted { a, b in
            if case (.text(let a), .text(let b)) = (a, b) {
                return a.utf8.lexicographicallyPrecedes(b.utf8)
            }
            return (a.asNumber ?? 0) < (b.asNumber ?? 0)
        }
        guard let least = sorted.first, let most = sorted.last else { return nil }
        return (bytes(of: least, kind), bytes(of: most, kind))
    }

    private static func bytes(of value: AttributeValue, _ kind: Kind) -> [UInt8] {
        if case .text(let text) = value { return Array(text.utf8) }
        let number = value.asNumber ?? 0
        return switch kind {
        case .int32: plain(UInt32(bitPattern: Int32(number)))
        case .int64: plain(UInt64(bitPattern: Int64(number)))
        case .float: plain(Float(number).bitPattern)
        case .double: plain(number.bitPattern)
        case .text: []
        }
    }

    static func plain(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }
}

/// A structure of Thrift's compact protocol, field by field; each is written with its number in full.
struct Thrift {
    private var fields: [UInt8] = []

    var bytes: [UInt8] { fields + [0] }

    static func varint(_ number: Int) -> [UInt8] {
        number < 0x80 ? [UInt8(number)] : [UInt8(number & 0x7F) | 0x80] + varint(number >> 7)
    }

    static func sized(_ bytes: [UInt8]) -> [UInt8] { varint(bytes.count) + bytes }

    private func adding(_ type: UInt8, _ id: Int, _ value: [UInt8]) -> Thrift {
        var copy = self
        copy.fields += [type] + Self.varint(2 * id) + value
        return copy
    }

    func int(_ id: Int, _ number: Int) -> Thrift { adding(5, id, Self.varint(2 * number)) }
    func long(_ id: Int, _ number: Int) -> Thrift { adding(6, id, Self.varint(2 * number)) }
    func binary(_ id: Int, _ bytes: [UInt8]) -> Thrift { adding(8, id, Self.sized(bytes)) }
    func text(_ id: Int, _ text: String) -> Thrift { binary(id, Array(text.utf8)) }
    func structure(_ id: Int, _ bytes: [UInt8]) -> Thrift { adding(12, id, bytes) }

    func list(_ id: Int, of type: UInt8, _ elements: [[UInt8]]) -> Thrift {
        let head =
            elements.count < 15
            ? [UInt8(elements.count) << 4 | type] : [0xF0 | type] + Self.varint(elements.count)
        return adding(9, id, head + elements.joined())
    }
}

/// A filter as it is written in JSON.
func filter(parsing text: String) throws -> Expressions.Expression {
    try Expressions.Expression(parsing: JSONValue(parsing: text), as: .filter)
}
