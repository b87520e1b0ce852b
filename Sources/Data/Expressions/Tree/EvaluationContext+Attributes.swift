import JSON
import Points

extension EvaluationContext {
    /// The property passed for this slot, if its name is a property's.
    func property(_ slot: Int) -> ExpressionValue? {
        guard let index = sources[slot].property, index < properties.count else { return nil }
        return properties[index]
    }

    /// The packed value of the slot's attribute, if the record has it.
    @_lifetime(copy self)
    func packed(_ slot: Int) -> PackedValue? { record.value(of: sources[slot].key) }

    /// Whether the feature has the slot's attribute without a value.
    func isNull(_ slot: Int) -> Bool { isNull(sources[slot].key) }

    private func isNull(_ key: AttributeKey) -> Bool {
        for index in nulls.indices where nulls[index] == key { return true }
        return false
    }

    /// The value of an attribute with a computed name; null if it has no value.
    func value(named name: String) -> ExpressionValue? {
        if let index = sources[0].properties.firstIndex(of: name), index < properties.count {
            return properties[index]
        }
        guard let key = sources[0].keys?.key(named: name) else { return nil }
        guard let packed = record.value(of: key) else { return isNull(key) ? .null : nil }
        return ExpressionValue(packed)
    }

    var allProperties: JSONObject {
        var object = JSONObject()
        for index in nulls.indices {
            if let name = sources[0].keys?.name(of: nulls[index]) { object[name] = .null }
        }
        var cursor = record.makeCursor()
        while let attribute = cursor.next() {
            guard let name = sources[0].keys?.name(of: attribute.key) else { continue }
            object[name] = ExpressionValue(attribute.value)
        }
        for (index, name) in sources[0].properties.enumerated() where index < properties.count {
            object[name] = properties[index]
        }
        return object
    }
}

extension ExpressionValue {
    /// The value of an attribute. Arrays and objects, which attributes hold as JSON text, are
    /// restored: from a text that starts with a bracket and is JSON.
    init(_ packed: PackedValue) {
        if let utf8 = packed.utf8 {
            if !utf8.isEmpty, utf8[0] == UInt8(ascii: "[") || utf8[0] == UInt8(ascii: "{"),
                let nested = try? JSONValue(parsing: utf8)
            {
                self = nested
            } else {
                self = .string(String(copying: utf8))
            }
            return
        }
        switch packed.unpacked {
        case .text(let text): self = .string(text)
        case .number(let number): self = .number(number)
        case .integer(let integer): self = .integer(integer)
        case .unsigned(let unsigned): self = ExpressionValue(unsigned)
        case .bool(let bool): self = .bool(bool)
        }
    }

    init(_ unsigned: UInt64) {
        self = Int64(exactly: unsigned).map { .integer($0) } ?? .number(Double(unsigned))
    }
}
