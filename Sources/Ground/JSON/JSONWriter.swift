extension JSONValue {
    /// How a JSON text is laid out.
    public enum Layout: Sendable {
        /// All on one line, without spaces.
        case compact
        /// Two spaces a level; an array of plain values stays on one line.
        case pretty
    }

    /// The value as JSON text; the same value gives the same text everywhere.
    public func text(_ layout: Layout = .compact) -> String {
        var bytes: [UInt8] = []
        write(to: &bytes, layout)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the value's JSON text.
    ///
    /// Numbers have the fewest digits that read back as the same number. Infinities and NaN, which
    /// JSON does not have, become `null`, as in JavaScript.
    public func write(to bytes: inout [UInt8], _ layout: Layout = .compact) {
        var writer = JSONWriter(isPretty: layout == .pretty, bytes: bytes)
        bytes = []
        writer.write(self)
        bytes = writer.bytes
    }
}

struct JSONWriter {
    let isPretty: Bool
    var bytes: [UInt8]
    private var level = 0

    init(isPretty: Bool, bytes: consuming [UInt8]) {
        self.isPretty = isPretty
        self.bytes = bytes
    }

    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: append("null")
        case .bool(let bool): append(bool ? "true" : "false")
        case .integer(let integer): append(integer.description)
        case .unsigned(let integer): append(integer.description)
        case .number(let number): write(number)
        case .string(let string): write(string)
        case .array(let elements): write(elements)
        case .object(let object): write(object)
        }
    }

    private mutating func write(_ number: Double) {
        guard number.isFinite else { return append("null") }
        if case .integer(let integer) = JSONValue(canonical: number) {
            append(integer.description)
        } else {
            append(number == 0 ? "-0" : number.description)
        }
    }

    private mutating func write(_ elements: [JSONValue]) {
        let isPlain = elements.allSatisfy { $0.asArray == nil && $0.asObject == nil }
        bytes.append(UInt8(ascii: "["))
        level += 1
        for (index, element) in elements.enumerated() {
            if index > 0 { append(isPretty && isPlain ? ", " : ",") }
            if !isPlain { breakLine() }
            write(element)
        }
        level -= 1
        if !isPlain { breakLine() }
        bytes.append(UInt8(ascii: "]"))
    }

    private mutating func write(_ object: JSONObject) {
        bytes.append(UInt8(ascii: "{"))
        level += 1
        for (index, member) in object.members.enumerated() {
            if index > 0 { append(",") }
            breakLine()
            write(member.key)
            append(isPretty ? ": " : ":")
            write(member.value)
        }
        level -= 1
        if object.count > 0 { breakLine() }
        bytes.append(UInt8(ascii: "}"))
    }

    private mutating func breakLine() {
        guard isPretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(0x20, count: 2 * level))
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

extension JSONWriter {
    /// Writes a string in quotes, with only the escapes that RFC 8259 (section 7) requires.
    mutating func write(_ string: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in string.utf8 {
            switch byte {
            case UInt8(ascii: "\""): append("\\\"")
            case UInt8(ascii: "\\"): append("\\\\")
            case 0x08: append("\\b")
            case 0x09: append("\\t")
            case 0x0A: append("\\n")
            case 0x0C: append("\\f")
            case 0x0D: append("\\r")
            case 0..<0x20: append("\\u00\(byte < 16 ? "0" : "1")\(String(byte % 16, radix: 16))")
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
