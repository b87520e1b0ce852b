/// Parses GeoJSON objects (RFC 7946) into points, directly from bytes to packed attributes.
struct GeoJSONParser: PieceParser {
    typealias Cutter = GeoJSONCutter

    var builder: PointBuilder
    var bytes: ByteCursor
    var keys = KeyCache()
    private var shape = GeometryShape()
    /// For members' names, the pairs of coordinates' names that they belong to.
    var recordNames: [String: (x: CoordinateNames.Pairs, y: CoordinateNames.Pairs)] = [:]
    /// Whether the input is known to have records with coordinates; those without such members have no position.
    let isOfRecords: Bool
    /// Whether a record with coordinates was read.
    var hasRecords = false
    /// Whether the text after a fault was skipped up to the next object.
    var resumesAtObject = false
    var lastIsTruncated = false
    var isInArray = false
    /// Whether the piece was cut by a guess, which may be found to be wrong.
    var isGuess = false
    var isDoubtful = false
    /// A buffer for texts that aren't copied unchanged.
    var scratch: [UInt8] = []

    init(_ builder: consuming PointBuilder, isOfRecords: Bool = false) {
        self.builder = builder
        self.isOfRecords = isOfRecords
        bytes = .empty
    }

    mutating func parse(_ bytes: ByteCursor, _ context: GeoJSONCutter.Context) {
        self.bytes = bytes
        builder.use(declared: context.crs)
        isGuess = context.isGuess
        guard context.isArray else { return parseSequence() }
        if context.isBehindBracket { rejectEnd() }
        let isClosed = parseArray(isCutOff: context.isCutOff)
        // The array cannot end between two features.
        if isGuess, isClosed { isDoubtful = true }
    }

    private mutating func parseSequence() {
        bytes.skipSeparators()
        while !bytes.isAtEnd, !builder.isStopped {
            parseObject()
            bytes.skipSeparators()
        }
    }

    /// Parses the elements of a collection and passes its closing bracket; false if the bytes end
    /// before it.
    @discardableResult
    private mutating func parseArray(isCutOff: Bool = false) -> Bool {
        let wasInArray = isInArray
        isInArray = true
        defer { isInArray = wasInArray }
        guard !bytes.skip("]") else { return true }
        _ = bytes.skip(",")
        bytes.skipSpace()
        while !bytes.isAtEnd, !builder.isStopped {
            resumesAtObject = false
            parseObject()
            if bytes.skip("]") { return true }
            if !bytes.skip(","), !resumesAtObject, !bytes.isAtEnd {
                rejectHere()
                if bytes.skip("]") { return true }
                _ = bytes.skip(",")
            }
            bytes.skipSpace()
        }
        if !builder.isStopped, isCutOff, !lastIsTruncated { rejectHere() }
        return false
    }

    /// Rejects a bracket that does not end the collection; a feature after it is still read.
    private mutating func rejectEnd() {
        guard bytes.byte == UInt8(ascii: "{") else { return rejectHere() }
        builder.begin(at: bytes.offset)
        builder.reject(.syntax, "comes after a bracket that ends the collection")
    }

    /// Rejects what is neither a feature nor a comma, or an end instead of a feature.
    private mutating func rejectHere() {
        builder.begin(at: bytes.offset)
        reject(bytes.fault, from: bytes.offset)
    }
}

/// The state of a GeoJSON object while its members are read, in any order.
private struct ObjectMembers {
    enum Kind { case unknown, feature, collection, geometry(GeometryShape.Kind) }
    var kind = Kind.unknown
    var hasGeometry = false
    var hasProperties = false

    /// Whether it declares to be a feature, a collection of them, or a geometry.
    @inline(__always)
    func isGeoJSON(in bytes: ByteCursor) -> Bool {
        switch kind {
        case .feature, .collection, .geometry(.point), .geometry(.multiPoint): true
        case .geometry(.other(let name)): GeometryShape.Kind.isGeometry(bytes, name)
        case .unknown, .geometry: false
        }
    }
}

// MARK: - Objects

extension GeoJSONParser {
    private mutating func parseObject() {
        let start = bytes.offset
        builder.begin(at: start)
        keys.startRecord()
        shape.reset()
        do throws(JSONFault) {
            guard bytes.byte == UInt8(ascii: "{") else {
                try bytes.skipValue()
                return builder.reject(
                    .notAFeature, "is \(snippet(start..<bytes.offset)), not an object")
            }
            try parseMembers(from: start)
        } catch {
            reject(error, from: start)
        }
    }

    private mutating func parseMembers(from start: Int) throws(JSONFault) {
        var members = ObjectMembers()
        try bytes.expect("{")
        if !bytes.skip("}") {
            repeat {
                bytes.skipSpace()
                try parseMember(&members)
            } while bytes.skip(",")
            try bytes.expect("}")
        }
        if !members.isGeoJSON(in: bytes), try parseRecord(from: start) { return }
        finish(members, from: start)
    }

    private mutating func parseMember(_ members: inout ObjectMembers) throws(JSONFault) {
        switch try bytes.geoJSONName() {
        case .type: try parseType(&members)
        case .id: try parseID()
        case .geometry:
            members.hasGeometry = true
            try shape.parseGeometry(&bytes)
        case .properties:
            // Of members with the same name the last is used.
            if members.hasProperties { builder.forgetAttributes() }
            members.hasProperties = true
            try parseProperties()
        // These are a bare geometry's; they are ignored next to a geometry.
        case .coordinates where !members.hasGeometry: try shape.parseCoordinates(&bytes)
        case .geometries where !members.hasGeometry: try shape.passMembers(&bytes)
        case .features where bytes.byte == UInt8(ascii: "["): try parseInnerCollection(&members)
        default: try bytes.skipValue()
        }
    }

    @inline(__always)
    private mutating func parseType(_ members: inout ObjectMembers) throws(JSONFault) {
        if bytes.skip(spelled: "\"Feature\"") { return members.kind = .feature }
        guard bytes.byte == UInt8(ascii: "\"") else { return try bytes.skipValue() }
        let range = try bytes.string().range
        switch String(copying: bytes.span(range)) {
        case "Feature": members.kind = .feature
        case "FeatureCollection": members.kind = .collection
        default: members.kind = .geometry(GeometryShape.Kind(bytes, range))
        }
    }

    /// Parses a collection within a piece; its features are the records.
    private mutating func parseInnerCollection(_ members: inout ObjectMembers) throws(JSONFault) {
        builder.cancel()
        bytes.advance()
        parseArray()
        // The rest of the collection is treated as a record that is cancelled at its end.
        builder.begin(at: bytes.offset)
        members.kind = .collection
    }

    private mutating func finish(_ members: ObjectMembers, from start: Int) {
        switch members.kind {
        case .feature where members.hasGeometry: finishShape()
        case .feature: builder.reject(.noLocation, "has no geometry")
        case .collection: builder.cancel()
        case .geometry(let kind):
            shape.kind = kind
            if case .other(let name) = kind, !GeometryShape.Kind.isGeometry(bytes, name) {
                return rejectType(name)
            }
            finishShape()
        case .unknown: rejectUnknown(from: start, hasGeometry: members.hasGeometry)
        }
    }

    private mutating func finishShape() {
        if let rule = builder.options.pointsFrom { shape.takePoint(rule, in: bytes) }
        if shape.isPoint {
            builder.end(x: shape.x, y: shape.y)
        } else if let (reason, problem) = shape.fault(in: bytes) {
            builder.endWithoutPoint(reason, problem)
        } else {
            builder.end(positions: shape.positions)
        }
    }

    func snippet(_ range: Range<Int>) -> String {
        Snippet.of(bytes.span(range.lowerBound..<min(range.upperBound, range.lowerBound + 60)))
    }
}
