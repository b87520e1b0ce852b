/// The geometry of one object, as far as points go: its positions, or why there are none.
///
/// Members come in any order, so coordinates are read before it is certain what they mean.
struct GeometryShape {
    enum Kind: Equatable {
        case none, null, point, multiPoint
        case other(String)
    }

    var kind = Kind.none
    /// x, y, x, y, …
    private(set) var positions: [Double] = []
    /// 0 without coordinates, 1 for one position, 2 for an array of them, 3 for all that is deeper.
    private var depth = 0
    private var badPosition: String?

    mutating func reset() {
        kind = .none
        positions.removeAll(keepingCapacity: true)
        depth = 0
        badPosition = nil
    }

    /// Why this is not a point or some, if it isn't.
    var fault: (RejectReason, String)? {
        switch kind {
        case .null: return (.noLocation, "has a null geometry")
        case .none: return (.badCoordinates, "has a geometry without a type")
        case .other(let name): return (.notAPoint, "is a \(name); clusters are made of points")
        case .point, .multiPoint: break
        }
        if let badPosition {
            return (.badCoordinates, "has \(badPosition) where two numbers should be")
        }
        if depth == 0 { return (.badCoordinates, "has a geometry without coordinates") }
        if positions.isEmpty { return (.noLocation, "has empty coordinates") }
        if (kind == .point) != (depth == 1) {
            return (.badCoordinates, "has coordinates of another kind of geometry")
        }
        return nil
    }
}

extension GeometryShape.Kind {
    init(_ bytes: ByteCursor, _ range: Range<Int>) {
        switch String(copying: bytes.span(range)) {
        case "Point": self = .point
        case "MultiPoint": self = .multiPoint
        case let name: self = .other(name)
        }
    }

    /// Whether that is a type of geometry other than points (RFC 7946 section 1.4).
    static func isGeometry(_ name: String) -> Bool {
        ["LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"]
            .contains(name)
    }
}

extension GeometryShape {
    /// Reads a geometry object or null.
    mutating func parseGeometry(_ bytes: inout ByteCursor) throws(JSONFault) {
        guard bytes.byte == UInt8(ascii: "{") else {
            if bytes.byte == UInt8(ascii: "n") { kind = .null }
            return try bytes.skipValue()
        }
        bytes.advance()
        if bytes.skip("}") { return }
        repeat {
            bytes.skipSpace()
            let (range, _) = try bytes.string()
            bytes.skipSpace()
            try bytes.expect(":")
            bytes.skipSpace()
            let name = bytes.span(range)
            if name.count == 4, name[0] == UInt8(ascii: "t"), name[1] == UInt8(ascii: "y") {
                try parseType(&bytes)
            } else if name.count == 11, name[0] == UInt8(ascii: "c"), name[2] == UInt8(ascii: "o") {
                try parseCoordinates(&bytes)
            } else {
                try bytes.skipValue()
            }
        } while bytes.skip(",")
        try bytes.expect("}")
    }

    @inline(__always)
    private mutating func parseType(_ bytes: inout ByteCursor) throws(JSONFault) {
        guard bytes.byte == UInt8(ascii: "\"") else { return try bytes.skipValue() }
        let (range, _) = try bytes.string()
        let isPoint =
            range.count == 5 && bytes[range.lowerBound] == UInt8(ascii: "P")
            && bytes[range.upperBound - 1] == UInt8(ascii: "t")
        kind = isPoint ? .point : Kind(bytes, range)
    }

    /// Reads one position or an array of them.
    mutating func parseCoordinates(_ bytes: inout ByteCursor) throws(JSONFault) {
        guard bytes.byte == UInt8(ascii: "[") else {
            let start = bytes.position
            try bytes.skipValue()
            return noteBad(bytes, start)
        }
        let start = bytes.position
        bytes.advance()
        bytes.skipSpace()
        guard bytes.byte == UInt8(ascii: "[") else {
            depth = 1
            return try parsePosition(&bytes, from: start)
        }
        depth = 2
        repeat {
            bytes.skipSpace()
            let start = bytes.position
            guard bytes.skip("[") else {
                try bytes.skipValue()
                noteBad(bytes, start)
                continue
            }
            bytes.skipSpace()
            if bytes.byte == UInt8(ascii: "[") {
                // Lines and rings: no points, whatever they hold.
                depth = 3
                bytes.move(to: start)
                try bytes.skipValue()
            } else {
                try parsePosition(&bytes, from: start)
            }
        } while bytes.skip(",")
        try bytes.expect("]")
    }

    /// Reads the numbers of a position behind its bracket; altitudes and measures are dropped.
    @inline(__always)
    private mutating func parsePosition(
        _ bytes: inout ByteCursor, from start: Int
    ) throws(JSONFault) {
        if bytes.skip("]") {
            // An empty array is how some write an empty point.
            if depth == 2 { noteBad(bytes, start) }
            return
        }
        guard let x = bytes.number(), bytes.skip(","), case () = bytes.skipSpace(),
            let y = bytes.number()
        else {
            bytes.move(to: start)
            try bytes.skipValue()
            return noteBad(bytes, start)
        }
        positions.append(bytes.double(of: x))
        positions.append(bytes.double(of: y))
        while bytes.skip(",") { try bytes.skipValue() }
        try bytes.expect("]")
    }

    private mutating func noteBad(_ bytes: ByteCursor, _ start: Int) {
        guard badPosition == nil else { return }
        badPosition = Snippet.of(bytes.span(start..<min(bytes.position, start + 60)))
    }
}
