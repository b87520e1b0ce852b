// The parts of GeoJSON around features.

extension ByteCursor {
    mutating func skipByteOrderMark() {
        if offset == 0, self[0] == 0xEF, self[min(1, end)] == 0xBB, self[min(2, end)] == 0xBF {
            advance(by: 3)
        }
    }

    /// Skips the separators between the texts of a sequence: space, and RS (RFC 8142).
    @inline(__always)
    mutating func skipSeparators() {
        skipSpace()
        while byte == 0x1E {
            advance()
            skipSpace()
        }
    }

    /// Reads a member's name up to its colon.
    mutating func memberName() throws(JSONFault) -> String {
        let name = try text()
        skipSpace()
        try expect(":")
        skipSpace()
        return name
    }

    /// Reads a string.
    mutating func text() throws(JSONFault) -> String {
        skipSpace()
        let (range, hasEscapes) = try string()
        guard hasEscapes else { return String(copying: span(range)) }
        var bytes: [UInt8] = []
        unescaped(range, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the name of an object's member, up to its value.
    @inline(__always)
    mutating func geoJSONName() throws(JSONFault) -> GeoJSONName {
        guard let name = usualGeoJSONName() else {
            return GeoJSONName(rawValue: try memberName()) ?? .other
        }
        skipSpace()
        return name
    }

    /// The usual form of a name: without an escape, and with the colon right after it.
    @inline(__always)
    private mutating func usualGeoJSONName() -> GeoJSONName? {
        if skip(spelled: "\"type\":") { return .type }
        if skip(spelled: "\"geometry\":") { return .geometry }
        if skip(spelled: "\"coordinates\":") { return .coordinates }
        if skip(spelled: "\"properties\":") { return .properties }
        if skip(spelled: "\"id\":") { return .id }
        return nil
    }
}

/// The members of GeoJSON objects (RFC 7946) that define a point.
enum GeoJSONName: String {
    case type, id, geometry, coordinates, properties, features, geometries, other
}
