/// Cuts GeoJSON between features: those of a collection, or objects that stand side by side.
struct GeoJSONCutter: PieceCutter {
    struct Context {
        /// Whether the piece holds elements of a collection's array, with commas between them.
        var isArray: Bool
        /// Whether the input ended within that array.
        var isCutOff = false
        /// Whether it was cut where a feature seems to start; the parser tells whether one did.
        var isGuess = false
        /// What the coordinates mean, if the input says so.
        var crs: CoordinateSystem?
    }

    private enum Part { case top, features, trailer }

    let input: String
    /// Whether it may cut a collection by the looks of it.
    let mayGuess: Bool
    /// What coordinates mean where the input doesn't say.
    let usualCRS: CoordinateSystem
    private var part = Part.top
    private var crs: CoordinateSystem?
    private var isAtStart = true

    /// A cutter that may guess is many times faster on collections; whoever reads its pieces must
    /// be able to start again if a guess was wrong.
    init(input: String, mayGuess: Bool = false, usualCRS: CoordinateSystem = .lonLat) {
        self.input = input
        self.mayGuess = mayGuess
        self.usualCRS = usualCRS
    }

    mutating func cut(_ bytes: ByteCursor, isLast: Bool) throws(InputError) -> Cut<Context> {
        var bytes = bytes
        let before = self
        if isAtStart { bytes.skipByteOrderMark() }
        let found = try cut(&bytes, isLast: isLast)
        switch found {
        case .piece: isAtStart = false
        // The same bytes come again, and more.
        case .needsMore: self = before
        case .done: break
        }
        return found
    }

    private mutating func cut(
        _ bytes: inout ByteCursor, isLast: Bool
    ) throws(InputError) -> Cut<Context> {
        if part == .trailer {
            guard try skipTrailer(&bytes, isLast: isLast) else { return .needsMore }
            part = .top
        }
        if part == .top {
            bytes.skipSeparators()
            guard !bytes.isAtEnd else { return isLast ? .done : .needsMore }
            switch try header(bytes) {
            case .unknown where !isLast: return .needsMore
            case .unknown, .other: return cutValues(bytes, isLast: isLast)
            case .features(let start):
                bytes.move(to: start)
                part = .features
            }
        }
        return cutArray(bytes, isLast: isLast)
    }

    private func cutValues(_ bytes: ByteCursor, isLast: Bool) -> Cut<Context> {
        let start = bytes.offset
        let end = isLast ? bytes.end : bytes.lastLineOfObject ?? StructureScan(bytes).lastEnd
        guard let end, end > start else { return .needsMore }
        return .piece(start..<end, Context(isArray: false))
    }

    private mutating func cutArray(_ bytes: ByteCursor, isLast: Bool) -> Cut<Context> {
        var context = Context(isArray: true, crs: crs)
        if mayGuess, !isLast, let end = bytes.lastFeatureEnd {
            context.isGuess = true
            return .piece(bytes.offset..<end, context)
        }
        let scan = StructureScan(bytes)
        // A brace in its place says that some feature's brackets don't match: only the parser can
        // tell the features behind that one.
        if let closing = scan.closing, bytes[closing] == UInt8(ascii: "]") {
            part = .trailer
            return .piece(bytes.offset..<closing + 1, context)
        }
        if isLast {
            part = .top
            context.isCutOff = true
            return .piece(bytes.offset..<bytes.end, context)
        }
        guard let end = scan.lastEnd, scan.closing == nil else { return .needsMore }
        return .piece(bytes.offset..<end, context)
    }
}

// MARK: - What stands around the features

extension GeoJSONCutter {
    private enum Header {
        /// The features start there.
        case features(Int)
        /// This is no collection.
        case other
        /// The bytes end, or make no sense, before that is known.
        case unknown
    }

    /// Looks at the members of an object up to its features or whatever makes it something else.
    private mutating func header(_ bytes: ByteCursor) throws(InputError) -> Header {
        var bytes = bytes
        guard bytes.skip("{") else { return .other }
        crs = nil
        while let name = try? bytes.memberName() {
            if name == "features", bytes.skip("[") { return .features(bytes.offset) }
            if name == "type" {
                guard let type = try? bytes.text() else { return .unknown }
                guard type == "FeatureCollection" else { return .other }
            } else if name == "crs" {
                guard let found = try readCRS(&bytes) else { return .unknown }
                crs = found
            } else {
                guard (try? bytes.skipValue()) != nil else { return .unknown }
            }
            guard bytes.skip(",") else {
                return bytes.byte == UInt8(ascii: "}") ? .other : .unknown
            }
        }
        return .unknown
    }

    /// Goes over the rest of a collection; false where the bytes end before it does.
    private mutating func skipTrailer(
        _ bytes: inout ByteCursor, isLast: Bool
    ) throws(InputError) -> Bool {
        var rest = bytes
        while rest.skip(",") {
            guard let name = try? rest.memberName() else { return try cutOff(rest, isLast) }
            if name == "crs" {
                guard let found = try readCRS(&rest) else { return try cutOff(rest, isLast) }
                // The features were read without knowing; that is well if it changes nothing.
                guard found == (crs ?? usualCRS) else {
                    throw .ambiguous(
                        input: input,
                        problem: "has a member crs that comes behind the features",
                        advice: "move it to the front, or say the same with --crs \(found.rawValue)"
                    )
                }
            } else if (try? rest.skipValue()) == nil {
                return try cutOff(rest, isLast)
            }
        }
        guard rest.byte == UInt8(ascii: "}") else { return try cutOff(rest, isLast) }
        rest.advance()
        bytes = rest
        return true
    }

    private func cutOff(_ bytes: ByteCursor, _ isLast: Bool) throws(InputError) -> Bool {
        guard isLast else { return false }
        throw .malformed(
            input: input, location: "the end of the collection",
            problem: bytes.isAtEnd
                ? "is missing: the input is cut off behind the features"
                : "is not valid JSON at "
                    + Snippet.of(bytes.span(bytes.offset..<min(bytes.offset + 60, bytes.end))))
    }

    /// Reads the old `crs` member (GeoJSON 2008, section 3): its name, or null.
    private func readCRS(_ bytes: inout ByteCursor) throws(InputError) -> CoordinateSystem? {
        var text: [UInt8]? = []
        bytes.skipSpace()
        guard (try? bytes.value(compact: &text)) != nil, let text else { return nil }
        let name = String(decoding: text, as: UTF8.self)
        if name == "null" { return usualCRS }
        if name.contains("CRS84") || name.contains(":4326\"") || name.contains("\"code\":4326}") {
            return .lonLat
        }
        // By name, or by GeoJSON 2008's older form with a number for its code.
        let mercator = [
            ":3857\"", ":900913\"", ":102100\"", ":102113\"", "\"code\":3857}", "\"code\":900913}",
        ]
        if mercator.contains(where: name.contains) { return .webMercator }
        throw .unsupportedCRS(input: input, name: Snippet.of(name, limit: 100))
    }
}
