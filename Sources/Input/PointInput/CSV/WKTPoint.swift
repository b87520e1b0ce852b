/// Points as well-known text (OGC 06-103r4, section 7): `POINT (x y)`, `MULTIPOINT ((x y), (x y))`.
enum WKTPoint {
    enum Fault: Error {
        case notAPoint(String)
        case malformed

        func problem(_ text: String) -> (RejectReason, String) {
            switch self {
            case .notAPoint(let kind): (.notAPoint, "is a \(kind); clusters are made of points")
            case .malformed: (.badCoordinates, "has the geometry \(text), which is no point")
            }
        }
    }

    static let otherKinds: Set<String> = [
        "LINESTRING", "POLYGON", "MULTILINESTRING", "MULTIPOLYGON", "GEOMETRYCOLLECTION",
        "CIRCULARSTRING", "CURVEPOLYGON", "TIN", "POLYHEDRALSURFACE", "TRIANGLE",
    ]

    /// The positions of a point or multipoint; empty for an empty one.
    /// - Parameters:
    ///   - text: the text, from the geometry on.
    ///   - system: receives the number of the coordinate system, if there is one in front.
    ///   - rule: the point that represents a line or an area; nil rejects those.
    static func positions(
        _ text: inout ByteCursor, system: inout Int32, pointsFrom rule: PointsFrom? = nil
    ) throws(Fault) -> [Double] {
        var kind = word(&text)
        if kind == "SRID" {
            // EWKT has the reference system in front, as in `SRID=4326;POINT(…)`.
            guard text.skip("="), let number = text.number(), number.digits <= 999_999,
                text.skip(";")
            else { throw .malformed }
            system = number.isNegative ? 0 : Int32(number.digits)
            kind = word(&text)
        }
        if let rule, otherKinds.contains(kind) {
            var outline = Outline()
            try readOutline(kind, &text, into: &outline)
            guard case () = text.skipSpace(), text.isAtEnd else { throw .malformed }
            return outline.positions(rule)
        }
        guard kind == "POINT" || kind == "MULTIPOINT" else {
            throw otherKinds.contains(kind) ? .notAPoint(kind) : .malformed
        }
        var next = word(&text)
        if ["Z", "M", "ZM"].contains(next) { next = word(&text) }
        if next == "EMPTY" { return [] }
        guard next.isEmpty, text.skip("(") else { throw .malformed }
        var positions: [Double] = []
        repeat {
            let isNested = text.skip("(")
            try position(&text, into: &positions)
            if isNested, !text.skip(")") { throw .malformed }
        } while text.skip(",")
        guard text.skip(")"), case () = text.skipSpace(), text.isAtEnd else { throw .malformed }
        guard kind == "MULTIPOINT" || positions.count == 2 else { throw .malformed }
        return positions
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
