/// Makes points of GeoJSON objects (RFC 7946), straight from bytes to packed attributes.
struct GeoJSONParser: PieceParser {
    typealias Cutter = GeoJSONCutter

    var gate: RecordGate
    private var bytes: ByteCursor
    private var keys = KeyCache()
    private var shape = GeometryShape()
    /// Whether a fault was passed over to the start of the next object.
    private var resumesAtObject = false
    private var lastIsTruncated = false
    /// Room for texts that aren't copied as they stand.
    private var scratch: [UInt8] = []

    init(_ gate: consuming RecordGate) {
        self.gate = gate
        bytes = .empty
    }

    mutating func parse(_ bytes: ByteCursor, _ context: GeoJSONCutter.Context) {
        self.bytes = bytes
        gate.crs = context.crs ?? gate.options.crs
        context.isArray ? parseArray(isCutOff: context.isCutOff) : parseSequence()
    }

    private mutating func parseSequence() {
        bytes.skipSeparators()
        while !bytes.isAtEnd, !gate.isStopped {
            parseObject()
            bytes.skipSeparators()
        }
    }

    /// Parses the elements of a collection up to its bracket, which it goes over.
    private mutating func parseArray(isCutOff: Bool = false) {
        guard !bytes.skip("]") else { return }
        _ = bytes.skip(",")
        bytes.skipSpace()
        while !bytes.isAtEnd, !gate.isStopped {
            resumesAtObject = false
            parseObject()
            if bytes.skip("]") { return }
            if !bytes.skip(","), !resumesAtObject { break }
            bytes.skipSpace()
        }
        guard !gate.isStopped, !bytes.isAtEnd || isCutOff && !lastIsTruncated else { return }
        // Something that is neither a feature nor a comma, or the end where a feature should be.
        gate.begin(at: bytes.position)
        reject(bytes.fault, from: bytes.position)
    }
}

/// What is known of a GeoJSON object while its members are read, in whatever order.
private struct ObjectMembers {
    enum Kind { case unknown, feature, collection, geometry(GeometryShape.Kind) }
    var kind = Kind.unknown
    var hasGeometry = false
    var hasCoordinates = false
}

// MARK: - Objects

extension GeoJSONParser {
    private mutating func parseObject() {
        let start = bytes.position
        gate.begin(at: start)
        keys.startRecord()
        shape.reset()
        do throws(JSONFault) {
            guard bytes.byte == UInt8(ascii: "{") else {
                try bytes.skipValue()
                return gate.reject(
                    .notAFeature, "is \(snippet(start..<bytes.position)), not an object")
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
        finish(members, from: start)
    }

    private mutating func parseMember(_ members: inout ObjectMembers) throws(JSONFault) {
        let (range, hasEscapes) = try bytes.string()
        bytes.skipSpace()
        try bytes.expect(":")
        bytes.skipSpace()
        guard !hasEscapes else { return try bytes.skipValue() }
        // Names are told apart by length and first letter, then compared.
        switch (range.count, bytes[range.lowerBound]) {
        case (4, UInt8(ascii: "t")) where isName("type", range): try parseType(&members)
        case (2, UInt8(ascii: "i")) where isName("id", range): try parseID()
        case (8, UInt8(ascii: "g")) where isName("geometry", range):
            members.hasGeometry = true
            try shape.parseGeometry(&bytes)
        case (10, UInt8(ascii: "p")) where isName("properties", range): try parseProperties()
        case (11, UInt8(ascii: "c")) where isName("coordinates", range):
            members.hasCoordinates = true
            try shape.parseCoordinates(&bytes)
        case (8, UInt8(ascii: "f"))
        where isName("features", range)
            && bytes.byte == UInt8(ascii: "["):
            try parseInnerCollection(&members)
        default: try bytes.skipValue()
        }
    }

    @inline(__always)
    private func isName(_ name: StaticString, _ range: Range<Int>) -> Bool {
        for index in 0..<name.utf8CodeUnitCount
        where unsafe bytes[range.lowerBound + index] != name.utf8Start[index] {
            return false
        }
        return true
    }

    private mutating func parseType(_ members: inout ObjectMembers) throws(JSONFault) {
        guard bytes.byte == UInt8(ascii: "\"") else { return try bytes.skipValue() }
        let (range, _) = try bytes.string()
        if range.count == 7, isName("Feature", range) {
            members.kind = .feature
        } else if range.count == 17, isName("FeatureCollection", range) {
            members.kind = .collection
        } else {
            members.kind = .geometry(GeometryShape.Kind(bytes, range))
        }
    }

    /// A collection that fits into one piece with others: its features are the records, not it.
    private mutating func parseInnerCollection(_ members: inout ObjectMembers) throws(JSONFault) {
        gate.cancel()
        bytes.advance()
        parseArray()
        // The rest of the collection goes on as a record that is cancelled at its end.
        gate.begin(at: bytes.position)
        members.kind = .collection
    }

    private mutating func finish(_ members: ObjectMembers, from start: Int) {
        switch members.kind {
        case .feature where members.hasGeometry: finishShape()
        case .feature: gate.reject(.noLocation, "has no geometry")
        case .collection: gate.cancel()
        case .geometry(let kind):
            shape.kind = kind
            if case .other(let name) = kind, !GeometryShape.Kind.isGeometry(name) {
                let type = Snippet.of(name)
                return gate.reject(.notAFeature, "has the type \(type), which GeoJSON doesn't know")
            }
            finishShape()
        case .unknown:
            gate.reject(
                .notAFeature, "has no type; it starts with \(snippet(start..<bytes.position))")
        }
    }

    private mutating func finishShape() {
        if let (reason, problem) = shape.fault { return gate.reject(reason, problem) }
        if shape.positions.count == 2 {
            gate.end(x: shape.positions[0], y: shape.positions[1])
        } else {
            gate.end(positions: shape.positions)
        }
    }

    private func snippet(_ range: Range<Int>) -> String {
        Snippet.of(bytes.span(range.lowerBound..<min(range.upperBound, range.lowerBound + 60)))
    }
}

// MARK: - Ids and properties

extension GeoJSONParser {
    private mutating func parseID() throws(JSONFault) {
        switch bytes.byte {
        case UInt8(ascii: "\""): gate.setID(.text(try bytes.text()))
        case UInt8(ascii: "n"): try bytes.expect(word: "null")
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            guard let number = bytes.number() else { throw bytes.fault }
            if number.isWhole, number.isExact, !number.isNegative {
                gate.setID(unsigned: number.digits)
            } else {
                gate.setID(number.wholeValue ?? .init(canonical: bytes.double(of: number)))
            }
        default: try bytes.skipValue()
        }
    }

    private mutating func parseProperties() throws(JSONFault) {
        guard bytes.byte == UInt8(ascii: "{") else { return try bytes.skipValue() }
        bytes.advance()
        if bytes.skip("}") { return }
        repeat {
            bytes.skipSpace()
            let slot = try parseKey()
            bytes.skipSpace()
            try bytes.expect(":")
            bytes.skipSpace()
            try parseValue(slot)
        } while bytes.skip(",")
        try bytes.expect("}")
    }

    @inline(__always)
    private mutating func parseKey() throws(JSONFault) -> AttributeSlot {
        guard bytes.byte == UInt8(ascii: "\"") else { throw bytes.fault }
        bytes.advance()
        if let slot = keys.guess(&bytes) { return slot }
        bytes.move(to: bytes.position - 1)
        return try parseNewKey()
    }

    private mutating func parseNewKey() throws(JSONFault) -> AttributeSlot {
        let (range, hasEscapes) = try bytes.string()
        if hasEscapes { bytes.unescaped(range, into: &scratch) }
        let name =
            hasEscapes
            ? String(decoding: scratch, as: UTF8.self) : String(copying: bytes.span(range))
        return keys.look(up: name, spelling: bytes.span(range), in: &gate)
    }

    @inline(__always)
    private mutating func parseValue(_ slot: AttributeSlot) throws(JSONFault) {
        switch bytes.byte {
        case UInt8(ascii: "\""):
            let (range, hasEscapes) = try bytes.string()
            guard !hasEscapes else {
                bytes.unescaped(range, into: &scratch)
                let text = scratch
                return gate.add(slot, utf8: text.span)
            }
            gate.add(slot, utf8: bytes.span(range))
        case UInt8(ascii: "t"):
            try bytes.expect(word: "true")
            gate.add(slot, bool: true)
        case UInt8(ascii: "f"):
            try bytes.expect(word: "false")
            gate.add(slot, bool: false)
        case UInt8(ascii: "n"):
            try bytes.expect(word: "null")
            gate.addNothing(slot)
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            var text: [UInt8]? = []
            try bytes.value(compact: &text)
            if let text { gate.add(slot, utf8: text.span) }
        default:
            guard let number = bytes.number() else { throw bytes.fault }
            gate.add(slot, number, from: bytes)
        }
    }
}

// MARK: - Faults

extension GeoJSONParser {
    /// Turns away a record whose text can't be read on, and goes on where the next may start: behind
    /// its brackets if they can be matched, else at the next line that starts an object.
    private mutating func reject(_ fault: JSONFault, from start: Int) {
        let (reason, problem) = fault.problem(bytes)
        gate.reject(reason, problem, at: min(fault.offset, bytes.end))
        lastIsTruncated = reason == .truncated
        bytes.move(to: start)
        let nextLine = bytes.nextLineOfObject
        if bytes.byte == UInt8(ascii: "{"),
            let end = StructureScan(bytes, stopsAtFirst: true).lastEnd, end <= nextLine
        {
            bytes.move(to: end)
        } else {
            resumesAtObject = true
            bytes.move(to: nextLine)
        }
    }
}
