import Points

extension PointBuilder {
    /// Adds a property of a column of this kind. NaN means no value.
    mutating func add(
        _ attribute: InputAttribute, _ property: borrowing FlatGeobufProperty,
        of kind: FlatGeobufColumn.Kind
    ) {
        switch kind {
        case .float:
            add(
                attribute, number: Double(Float(bitPattern: property.integer(UInt32.self))))
        case .double:
            add(attribute, number: Double(bitPattern: property.integer(UInt64.self)))
        case .bool: add(attribute, bool: property.integer(UInt8.self) != 0)
        case .text, .json, .dateTime: addText(attribute, property.bytes)
        case .binary: break
        default: add(attribute, property.integer(of: kind))
        }
    }

    /// Adds a text from a file that should have UTF-8, but may not.
    mutating func addText(_ attribute: InputAttribute, _ bytes: Span<UInt8>) {
        if bytes.isUTF8 {
            add(attribute, utf8: bytes)
        } else {
            refuse(.invalidUTF8, "has a text that is not valid UTF-8: \(Snippet.of(bytes))")
        }
    }
}

extension FlatGeobufProperty {
    /// The value of an integer column.
    func integer(of kind: FlatGeobufColumn.Kind) -> AttributeValue {
        switch kind {
        case .int8: .integer(Int64(integer(Int8.self)))
        case .int16: .integer(Int64(integer(Int16.self)))
        case .int32: .integer(Int64(integer(Int32.self)))
        case .int64: .integer(integer(Int64.self))
        default: AttributeValue(unsigned: integer(UInt64.self))
        }
    }
}

extension FlatGeobufColumn {
    /// Whether it contains the features' numbers.
    var isID: Bool {
        switch kind {
        case .int8, .uint8, .int16, .uint16, .int32, .uint32, .int64, .uint64: isPrimaryKey
        default: false
        }
    }
}

extension FlatGeobufFault {
    /// The reason under which a feature with this fault is counted, and the problem in words.
    var problem: (RejectReason, String) {
        if case .notPoints(let name) = self { return RejectReason.notPoints(name) }
        return (.syntax, "is damaged: \(description)")
    }
}
