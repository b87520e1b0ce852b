/// Writes small Arrow streams for tests, buffer by buffer.
struct ArrowBytes {
    typealias Object = FlatGeobufBytes.Object
    typealias Field = FlatGeobufBytes.Field

    /// A column: how the schema declares it, and what a batch holds of it.
    struct Column {
        var name: String
        var type: UInt8
        var details: [Int: Field] = [:]
        var isDictionary = false
        var buffers: [[UInt8]]
        var nulls: Int64 = 0
        /// How many buffers of texts a column of views has.
        var views: Int64?

        static func doubles(_ name: String, _ values: [Double?]) -> Column {
            Column(
                name: name, type: 3, details: [0: .inline(WKB.bytes(Int16(2)))],
                buffers: [validity(values), values.flatMap { WKB.bytes(($0 ?? 0).bitPattern) }],
                nulls: nulls(values))
        }

        static func integers<Integer: FixedWidthInteger>(
            _ name: String, _ values: [Integer?]
        ) -> Column {
            Column(
                name: name, type: 2,
                details: [
                    0: .inline(WKB.bytes(Int32(Integer.bitWidth))),
                    1: .inline([Integer.isSigned ? 1 : 0]),
                ],
                buffers: [validity(values), values.flatMap { WKB.bytes($0 ?? 0) }],
                nulls: nulls(values))
        }

        static func texts(_ name: String, _ values: [String?]) -> Column {
            bytes(name, type: 5, values.map { $0.map { Array($0.utf8) } })
        }

        static func bytes(_ name: String, type: UInt8, _ values: [[UInt8]?]) -> Column {
            var offsets = WKB.bytes(Int32(0))
            var all: [UInt8] = []
            for value in values {
                all += value ?? []
                offsets += WKB.bytes(Int32(all.count))
            }
            return Column(
                name: name, type: type, buffers: [validity(values), offsets, all],
                nulls: nulls(values))
        }

        /// Up to twelve bytes stand in a view, longer texts in one of two buffers.
        static func views(_ name: String, _ values: [String?]) -> Column {
            var (views, texts): ([UInt8], [[UInt8]]) = ([], [[], []])
            for (row, value) in values.enumerated() {
                let text = Array((value ?? "").utf8)
                views += WKB.bytes(Int32(text.count))
                if text.count <= 12 {
                    views += text + [UInt8](repeating: 0, count: 12 - text.count)
                } else {
                    views += text.prefix(4) + WKB.bytes(Int32(row % 2))
                    views += WKB.bytes(Int32(texts[row % 2].count))
                    texts[row % 2] += text
                }
            }
            return Column(
                name: name, type: 24, buffers: [validity(values), views] + texts,
                nulls: nulls(values), views: 2)
        }

        static func bools(_ name: String, _ values: [Bool?]) -> Column {
            Column(
                name: name, type: 6,
                buffers: [validity(values), bits(values.map { $0 ?? false })],
                nulls: nulls(values))
        }

        static func moments(_ name: String, unit: Int16, zone: String?, _ values: [Int64])
            -> Column
        {
            var details: [Int: Field] = [0: .inline(WKB.bytes(unit))]
            if let zone { details[1] = .object(.text(zone)) }
            return Column(
                name: name, type: 10, details: details,
                buffers: [[], values.flatMap { WKB.bytes($0) }])
        }

        static func days(_ name: String, _ values: [Int32]) -> Column {
            Column(
                name: name, type: 8, details: [0: .inline(WKB.bytes(Int16(0)))],
                buffers: [[], values.flatMap { WKB.bytes($0) }])
        }

        private static func nulls<Value>(_ values: [Value?]) -> Int64 {
            Int64(values.count { $0 == nil })
        }

        private static func validity<Value>(_ values: [Value?]) -> [UInt8] {
            bits(values.map { $0 != nil })
        }

        private static func bits(_ values: [Bool]) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: (values.count + 7) / 8)
            for (index, value) in values.enumerated() where value {
                bytes[index / 8] |= 1 << UInt8(index % 8)
            }
            return bytes
        }

        var field: Object {
            var fields: [Int: Field] = [
                0: .object(.text(name)), 2: .inline([type]),
                3: .object(FlatGeobufBytes.table(details)),
            ]
            if isDictionary { fields[4] = .object(FlatGeobufBytes.table([:])) }
            return FlatGeobufBytes.table(fields)
        }
    }

    static func schema(_ columns: [Column]) -> [UInt8] {
        message(
            1,
            FlatGeobufBytes.table([
                0: .inline(WKB.bytes(Int16(0))), 1: .object(.tables(columns.map(\.field))),
            ]))
    }

    static func batch(_ columns: [Column], rows: Int, isCompressed: Bool = false) -> [UInt8] {
        var body: [UInt8] = []
        var (nodes, buffers): ([UInt8], [UInt8]) = ([], [])
        for column in columns {
            nodes += WKB.bytes(Int64(rows)) + WKB.bytes(column.nulls)
            for buffer in column.buffers {
                buffers += WKB.bytes(Int64(body.count)) + WKB.bytes(Int64(buffer.count))
                body += buffer + [UInt8](repeating: 0, count: (8 - buffer.count % 8) % 8)
            }
        }
        var fields: [Int: Field] = [
            0: .inline(WKB.bytes(Int64(rows))),
            1: .object(.vector(nodes, count: nodes.count / 16)),
            2: .object(.vector(buffers, count: buffers.count / 16)),
        ]
        let views = columns.compactMap(\.views)
        if !views.isEmpty {
            fields[4] = .object(.vector(views.flatMap { WKB.bytes($0) }, count: views.count))
        }
        if isCompressed { fields[3] = .object(FlatGeobufBytes.table([0: .inline([1])])) }
        return message(3, FlatGeobufBytes.table(fields), body: body)
    }

    static let end: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]

    /// A stream of one batch.
    static func stream(_ columns: [Column], rows: Int) -> [UInt8] {
        schema(columns) + batch(columns, rows: rows) + end
    }

    private static func message(_ kind: UInt8, _ header: Object, body: [UInt8] = []) -> [UInt8] {
        let head = FlatGeobufBytes.buffer(
            FlatGeobufBytes.table([
                0: .inline(WKB.bytes(Int16(4))), 1: .inline([kind]), 2: .object(header),
                3: .inline(WKB.bytes(Int64(body.count))),
            ]))
        return [0xFF, 0xFF, 0xFF, 0xFF] + WKB.bytes(Int32(head.count)) + head + body
    }
}
