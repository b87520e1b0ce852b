/// Points as well-known text (OGC 06-103r4, section 7): `POINT (x y)`, `MULTIPOINT ((x y), (x y))`.
package enum WKTPoint {
    package enum Fault: Error {
        case notAPoint(String)
        case malformed

        func problem(_ text: String) -> (RejectReason, String) {
            switch self {
            case .notAPoint(let kind): RejectReason.notPoints(kind)
            case .malformed: (.badCoordinates, "has the geometry \(text), which is no point")
            }
        }
    }

    static let otherKinds: Set<String> = [
        "LINESTRING", "POLYGON", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
        "CIRCULARSTRING", "CURVEPOLYGON", "TIN", "POLYHEDRALSURFACE", "TRIANGLE",
    ]

    /// The same for a text by itself.
    package static func positions(
        in text: [UInt8], pointsFrom rule: PointsFrom?
    ) throws(Fault) -> (positions: [Double], system: Int32) {
        var block = ByteBlock(capacity: text.count)
        block.assign(text)
        defer { extendLifetime(block) }
        var cursor = block.cursor()
        return try positions(&cursor, pointsFrom: rule)
    }

    /// The positions of a point or multipoint, empty for an empty one, and the number of the coordinate
    /// system in front of it; 0 without one.
    /// - Parameters:
    ///   - text: the text, from the geometry on.
    ///   - rule: the point that represents a line or an area; nil rejects those.
    static func positions(
        _ text: inout ByteCursor, pointsFrom rule: PointsFrom?
    ) throws(Fault) -> (positions: [Double], system: Int32) {
        var system: Int32 = 0
        var kind = Self.kind(word(&text))
        if kind == "SRID" {
            // EWKT has the reference system in front, as in `SRID=4326;POINT(…)`.
            guard text.skip("="), let number = text.number(), number.digits <= 999_999,
                text.skip(";")
            else { throw .malformed }
            system = number.isNegative ? 0 : Int32(number.digits)
            kind = Self.kind(word(&text))
        }
        if let rule, otherKinds.contains(kind) {
            var outline = Outline()
            try readOutline(kind, &text, into: &outline)
            guard case () = text.skipSpace(), text.isAtEnd else { throw .malformed }
            return (outline.positions(rule), system)
        }
        guard kind == "POINT" || kind == "MULTIPOINT" else {
            throw otherKinds.contains(kind) ? .notAPoint(kind) : .malformed
        }
        var next = word(&text)
        if ["Z", "M", "ZM"].contains(next) { next = word(&text) }
        if next == "EMPTY" { return ([], system) }
        guard next.isEmpty, text.skip("(") else { throw .malformed }
        var positions: [Double] = []
        repeat {
            let isNested = text.skip("(")
            try position(&text, into: &positions)
            if isNested, !text.skip(")") { throw .malformed }
        } while text.skip(",")
        guard text.skip(")"), case () = text.skipSpace(), text.isAtEnd else { throw .malformed }
        guard kind == "MULTIPOINT" || positions.count == 2 else { throw .malformed }
        return (positions, system)
    }

    /// Reads x and y; heights and measures are ignored.
    static func position(
        _ text: inout ByteCursor, into positions: inout [Double]
    ) throws(Fault) {
        for axis in 0..<4 {
            text.skipSpace()
            guard let number = text.number() else {
                if axis < 2 { throw .malformed }
                return
            }
            if axis < 2 { positions.append(text.double(of: number)) }
        }
    }

    /// The name of a geometry without the dimensions that some programs append to it: `POINTZ`.
    static func kind(_ word: String) -> String {
        let dimensions = ["ZM", "Z", "M"].first { word.hasSuffix($0) }
        return String(word.dropLast(dimensions?.count ?? 0))
    }

    /// Reads a word in capitals; empty if there is none.
    static func word(_ text: inout ByteCursor) -> String {
        text.skipSpace()
        var word = ""
        while case let letter = text.byte & 0xDF,
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter), text.byte >= 0x41
        {
            word.unicodeScalars.append(Unicode.Scalar(letter))
            text.advance()
        }
        return word
    }
}
