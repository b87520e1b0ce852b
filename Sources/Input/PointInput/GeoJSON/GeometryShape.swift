/// The positions of an object's geometry, or the reason why there are none.
///
/// Members come in any order, so coordinates are read before their meaning is certain. Names and
/// faults are kept as ranges of the bytes, so that a point needs no text.
struct GeometryShape {
    enum Kind {
        case none, null, point, multiPoint
        /// Another type, with the range of its name.
        case other(Range<Int>)
        /// A line or an area with invalid coordinates, with the range of its type's name.
        case unsound(Range<Int>)
    }

    var kind = Kind.none
    /// The first position.
    private(set) var x = 0.0
    private(set) var y = 0.0
    private(set) var count = 0
    /// The x and y of the positions after the first, alternating.
    private var others: [Double] = []
    /// 0 without coordinates, 1 for one position, 2 for an array of them, 3 for any deeper nesting.
    private var depth = 0
    private var badPosition: Range<Int>?
    /// The start of the coordinates, or of a collection's members.
    private(set) var coordinatesStart = 0
    private(set) var membersStart: Int?

    mutating func reset() {
        kind = .none
        membersStart = nil
        resetCoordinates()
    }

    @inline(__always)
    private mutating func resetCoordinates() {
        guard depth != 0 || badPosition != nil else { return }
        count = 0
        if !others.isEmpty { others.removeAll(keepingCapacity: true) }
        depth = 0
        badPosition = nil
    }

    private mutating func append(_ x: Double, _ y: Double) {
        if count == 0 {
            (self.x, self.y) = (x, y)
        } else {
            others.append(x)
            others.append(y)
        }
        count += 1
    }

    /// Sets the positions: one, several or none.
    mutating func become(_ positions: [Double]) {
        resetCoordinates()
        (kind, depth) = positions.count > 2 ? (.multiPoint, 2) : (.point, 1)
        for index in stride(from: 0, to: positions.count, by: 2) {
            append(positions[index], positions[index + 1])
        }
    }

    /// All positions, with x and y alternating.
    var positions: [Double] { count == 0 ? [] : [x, y] + others }

    /// Whether this is a valid point.
    var isPoint: Bool {
        guard case .point = kind else { return false }
        return depth == 1 && count == 1 && badPosition == nil
    }

    /// Why this is not a point or several; nil if it is.
    func fault(in bytes: ByteCursor) -> (RejectReason, String)? {
        let expected: Int
        switch kind {
        case .null: return (.noLocation, "has a null geometry")
        case .none: return (.badCoordinates, "has a geometry without a type")
        case .other(let name):
            return RejectReason.notPoints(String(copying: bytes.span(name)))
        case .unsound(let name):
            let name = String(copying: bytes.span(name))
            return (.badCoordinates, "has coordinates that are not those of a \(name)")
        case .point: expected = 1
        case .multiPoint: expected = 2
        }
        if let badPosition {
            let text = Snippet.of(bytes.span(badPosition))
            return (.badCoordinates, "has \(text) where two numbers should be")
        }
        if depth == 0 { return (.badCoordinates, "has a geometry without coordinates") }
        if count == 0 { return (.noLocation, "has empty coordinates") }
        if depth != expected {
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
        default: self = .other(range)
        }
    }

    /// Whether the name is a geometry type other than points (RFC 7946 section 1.4).
    static func isGeometry(_ bytes: ByteCursor, _ name: Range<Int>) -> Bool {
        ["LineString", "MultiLineString", "Polygon", "MultiPolygon", "GeometryCollection"]
            .contains(String(copying: bytes.span(name)))
    }
}

extension GeometryShape {
    /// Reads a geometry object or null.
    mutating func parseGeometry(_ bytes: inout ByteCursor) throws(JSONFault) {
        // Of members with the same name the last is used.
        reset()
        guard bytes.byte == UInt8(ascii: "{") else {
            if bytes.byte == UInt8(ascii: "n") { kind = .null }
            return try bytes.skipValue()
        }
        bytes.advance()
        if bytes.skip("}") { return }
        repeat {
            bytes.skipSpace()
            switch try bytes.geoJSONName() {
            case .type: try parseType(&bytes)
            case .coordinates: try parseCoordinates(&bytes)
            case .geometries: try passMembers(&bytes)
            default: try bytes.skipValue()
            }
        } while bytes.skip(",")
        try bytes.expect("}")
    }

    /// Skips the geometries of a collection.
    mutating func passMembers(_ bytes: inout ByteCursor) throws(JSONFault) {
        membersStart = bytes.offset
        try bytes.skipValue()
    }

    @inline(__always)
    private mutating func parseType(_ bytes: inout ByteCursor) throws(JSONFault) {
        if bytes.skip(spelled: "\"Point\"") { return kind = .point }
        guard bytes.byte == UInt8(ascii: "\"") else { return try bytes.skipValue() }
        kind = Kind(bytes, try bytes.string().range)
    }

    /// Reads one position or an array of them.
    mutating func parseCoordinates(_ bytes: inout ByteCursor) throws(JSONFault) {
        resetCoordinates()
        coordinatesStart = bytes.offset
        guard bytes.byte == UInt8(ascii: "[") else {
            let start = bytes.offset
            try bytes.skipValue()
            return noteBad(bytes, start)
        }
        let start = bytes.offset
        bytes.advance()
        bytes.skipSpace()
        guard bytes.byte == UInt8(ascii: "[") else {
            depth = 1
            return try parsePosition(&bytes, from: start)
        }
        depth = 2
        repeat {
            bytes.skipSpace()
            let start = bytes.offset
            guard bytes.skip("[") else {
                try bytes.skipValue()
                noteBad(bytes, start)
                continue
            }
            bytes.skipSpace()
            if bytes.byte == UInt8(ascii: "[") {
                // Lines and rings are not points, whatever they contain.
                depth = 3
                bytes.move(to: start)
                try bytes.skipValue()
            } else {
                try parsePosition(&bytes, from: start)
            }
        } while bytes.skip(",")
        try bytes.expect("]")
    }

    /// Reads the numbers of a position after its bracket; altitudes and measures are ignored.
    @inline(__always)
    private mutating func parsePosition(
        _ bytes: inout ByteCursor, from start: Int
    ) throws(JSONFault) {
        if bytes.skip("]") {
            // Some programs write an empty point as an empty array.
            if depth == 2 { noteBad(bytes, start) }
            return
        }
        guard let x = bytes.number(), bytes.skip(","), case () = bytes.skipSpace(),
            let y = bytes.number()
        else {
            bytes.move(to: start)
            let value = try bytes.value()
            // [null, null] is as empty as [].
            let isNull = String(copying: bytes.span(value)).utf8.allSatisfy {
                "[nul, ]".utf8.contains($0)
            }
            if depth == 1, isNull { return }
            return noteBad(bytes, start)
        }
        append(bytes.double(of: x), bytes.double(of: y))
        while bytes.skip(",") { try bytes.skipValue() }
        try bytes.expect("]")
    }

    private mutating func noteBad(_ bytes: ByteCursor, _ start: Int) {
        guard badPosition == nil else { return }
        badPosition = start..<min(bytes.offset, start + 60)
    }
}
