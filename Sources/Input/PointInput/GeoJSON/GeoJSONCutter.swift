/// Cuts GeoJSON between features: those of a collection, or objects that stand side by side.
struct GeoJSONCutter: PieceCutter {
    struct Context {
        /// Whether the piece holds elements of a collection's array, with commas between them.
        var isArray: Bool
        /// Whether the input ended within that array.
        var isCutOff = false
        /// Whether the array was closed before, by a bracket behind which the collection doesn't end.
        var isBehindBracket = false
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
    /// What the input declares behind its features, where that could be looked up.
    var crsBehind: CoordinateSystem?
    private var part = Part.top
    var crs: CoordinateSystem?
    /// Whether the features stand in an array without an object around it.
    var isBareArray = false
    private var isAtStart = true

    /// A cutter that may guess is many times faster on collections; the reader of its pieces must
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
            switch try skipTrailer(&bytes, isLast: isLast) {
            case .unknown: return .needsMore
            case .passed: part = .top
            case .broken: return cutArray(bytes, isLast: isLast, isBehindBracket: true)
            }
        }
        if part == .top {
            bytes.skipSeparators()
            guard !bytes.isAtEnd else { return isLast ? .done : .needsMore }
            switch try header(bytes) {
            case .unknown where !isLast: return .needsMore
            case .unknown, .other: return cutValues(bytes, isLast: isLast)
            case .features(let start):
                bytes.move(to: start)
            }
        }
        return cutArray(bytes, isLast: isLast)
    }

    private func cutValues(_ bytes: ByteCursor, isLast: Bool) -> Cut<Context> {
        let start = bytes.offset
        let end = isLast ? bytes.end : bytes.lastLineOfObject ?? StructureScan(bytes).lastEnd
        guard let end, end > start else { return .needsMore }
        return .piece(start..<end, Context(isArray: false, crs: crsBehind))
    }

    private mutating func cutArray(
        _ bytes: ByteCursor, isLast: Bool, isBehindBracket: Bool = false
    ) -> Cut<Context> {
        part = .features
        var context = Context(
            isArray: true, isBehindBracket: isBehindBracket, crs: crs ?? crsBehind)
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
