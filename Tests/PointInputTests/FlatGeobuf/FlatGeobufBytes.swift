/// Writes small FlatGeobuf files for tests, value by value.
struct FlatGeobufBytes {
    /// A FlatBuffers object and where in its bytes its start is.
    struct Object {
        var bytes: [UInt8]
        var start = 0

        /// A vector of scalars, or a string, whose terminating zero readers may ignore.
        static func vector(_ elements: [UInt8], count: Int? = nil) -> Object {
            Object(bytes: WKB.bytes(UInt32(count ?? elements.count)) + elements)
        }

        static func text(_ text: String) -> Object { vector(Array(text.utf8)) }

        static func tables(_ tables: [Object]) -> Object {
            var bytes = WKB.bytes(UInt32(tables.count))
            var tail: [UInt8] = []
            for (index, table) in tables.enumerated() {
                let slot = 4 + 4 * index
                let target = 4 + 4 * tables.count + tail.count + table.start
                bytes += WKB.bytes(UInt32(target - slot))
                tail += table.bytes
            }
            return Object(bytes: bytes + tail)
        }
    }

    enum Field {
        case inline([UInt8])
        case object(Object)
    }

    /// A table: its vtable, then its fields, then what they point to.
    static func table(_ fields: [Int: Field]) -> Object {
        let slots = (fields.keys.max() ?? -1) + 1
        var offsets = [UInt16](repeating: 0, count: slots)
        var body: [UInt8] = WKB.bytes(Int32(4 + 2 * slots))
        var pointers: [(place: Int, Object)] = []
        for (field, value) in fields.sorted(by: { $0.key < $1.key }) {
            offsets[field] = UInt16(body.count)
            switch value {
            case .inline(let bytes): body += bytes
            case .object(let object):
                pointers.append((body.count, object))
                body += [0, 0, 0, 0]
            }
        }
        let size = UInt16(body.count)
        for (place, object) in pointers {
            let distance = WKB.bytes(UInt32(body.count + object.start - place))
            body.replaceSubrange(place..<place + 4, with: distance)
            body += object.bytes
        }
        let vtable =
            WKB.bytes(UInt16(4 + 2 * slots)) + WKB.bytes(size) + offsets.flatMap { WKB.bytes($0) }
        return Object(bytes: vtable + body, start: vtable.count)
    }

    /// A buffer whose first four bytes point to its root.
    static func buffer(_ root: Object) -> [UInt8] {
        WKB.bytes(UInt32(4 + root.start)) + root.bytes
    }

    static func sized(_ bytes: [UInt8]) -> [UInt8] { WKB.bytes(UInt32(bytes.count)) + bytes }

    static func column(_ name: String, _ type: UInt8, isPrimaryKey: Bool = false) -> Object {
        table([
            0: .object(.text(name)), 1: .inline([type]), 9: .inline([isPrimaryKey ? 1 : 0]),
        ])
    }

    static func header(
        geometryType: UInt8 = 1, columns: [Object] = [], count: UInt64 = 0, nodeSize: UInt16 = 0,
        code: Int32? = nil
    ) -> [UInt8] {
        var fields: [Int: Field] = [
            0: .object(.text("layer")), 2: .inline([geometryType]),
            7: .object(.tables(columns)), 8: .inline(WKB.bytes(count)),
            9: .inline(WKB.bytes(nodeSize)),
        ]
        if let code {
            fields[10] = .object(
                table([0: .object(.text("EPSG")), 1: .inline(WKB.bytes(code))]))
        }
        return buffer(table(fields))
    }

    static func feature(
        _ xy: [Double]?, type: UInt8? = nil, properties: [UInt8] = [], columns: [Object] = []
    ) -> [UInt8] {
        var geometry: [Int: Field] = [:]
        if let xy {
            let bytes = xy.flatMap { WKB.bytes($0.bitPattern) }
            geometry[1] = .object(.vector(bytes, count: xy.count))
        }
        if let type { geometry[6] = .inline([type]) }
        var fields: [Int: Field] = [1: .object(.vector(properties))]
        if !geometry.isEmpty { fields[0] = .object(table(geometry)) }
        if !columns.isEmpty { fields[2] = .object(.tables(columns)) }
        return buffer(table(fields))
    }

    static func file(header: [UInt8], index: [UInt8] = [], features: [[UInt8]]) -> [UInt8] {
        [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 0] + sized(header) + index
            + features.flatMap(sized)
    }
}
