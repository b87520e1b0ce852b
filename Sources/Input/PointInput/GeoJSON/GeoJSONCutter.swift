/// Cuts GeoJSON between features: those of a collection, or separate objects.
struct GeoJSONCutter: PieceCutter {
    struct Context {
        /// Whether the piece has elements of a collection's array, with commas between them.
        var isArray: Bool
        /// Whether the input ended within that array.
        var isCutOff = false
        /// Whether the array was closed before, by a bracket after which the collection does not end.
        var isBehindBracket = false
        /// Whether it was cut where a feature seems to start; the parser checks whether one does.
        var isGuess = false
        /// The coordinate system, if the input declares one.
        var crs: CoordinateSystem?
    }

    private enum Part { case top, features, trailer }

    let input: String
    /// Whether it may cut a collection at places that only look right.
    let mayGuess: Bool
    /// The coordinate system if the input declares none.
    let usualCRS: CoordinateSystem?
    /// The coordinate system declared after the features, if it could be looked up.
    var crsBehind: CoordinateSystem?
    private var part = Part.top
    var crs: CoordinateSystem?
    /// Whether the features are in an array without an object around it.
    var isBareArray = false
    private var isAtStart = true

    /// Guessing is many times faster for collections; the reader of the pieces must be able to
    /// start again if a guess was wrong.
    init(input: String, mayGuess: Bool = false, usualCRS: CoordinateSystem? = nil) {
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
        // The same bytes will be passed again, with more.
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
        // A brace instead means that the brackets of some feature don't match: only the parser can
        // find the features after that one.
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
