import Platform
import Points

/// Reads GeoJSON (RFC 7946) in any arrangement, text sequences (RFC 8142) and one object a line;
/// flat records with columns of coordinates, and Overpass answers.
struct GeoJSONReader: PointReader {
    static let format = InputFormat.geoJSON
    static let fileExtensions = [
        "geojson", "json", "geojsonl", "geojsons", "geojsonseq", "ndjson", "jsonl", "ldjson",
        "ndgeojson",
    ]

    static func recognises(_ start: Span<UInt8>) -> Bool {
        // No other format here starts with a brace, or with a bracket and a brace; RS starts a text sequence.
        var isInArray = false
        for index in start.indices {
            switch start[index] {
            case UInt8(ascii: "{"): return true
            case UInt8(ascii: "[") where !isInArray: isInArray = true
            case 0x20, 0x09, 0x0A, 0x0D, 0x1E: continue
            case 0xEF, 0xBB, 0xBF: if index > 2 { return false }
            default: return false
            }
        }
        return false
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        try read(input, into: collector, declared: nil)
    }

    /// - Parameter declared: the coordinate system known from elsewhere.
    static func read(
        _ input: OpenInput, into collector: PointCollector, declared: CoordinateSystem?
    ) throws(InputError) {
        if input.isRepeatable {
            // Collections are cut at guesses, which each piece confirms or refutes; only faults and
            // features within features make them wrong.
            if try read(input, into: collector, declared, mayGuess: true) { return }
            collector.startAgain()
            _ = try read(input.again(), into: collector, declared, mayGuess: false)
        } else {
            _ = try read(input, into: collector, declared, mayGuess: false)
        }
    }

    private static func read(
        _ input: OpenInput, into collector: PointCollector, _ declared: CoordinateSystem?,
        mayGuess: Bool
    ) throws(InputError) -> Bool {
        var cutter = GeoJSONCutter(
            input: input.name, mayGuess: mayGuess, usualCRS: collector.options.crs)
        cutter.crsBehind = declared ?? crsBehindFeatures(of: input, cutter)
        let isOfRecords = hasRecords(input, cutter, collector.options)
        return try PieceReading<GeoJSONParser>.run(input, cutter: cutter, collector: collector) {
            GeoJSONParser(collector.makeBuilder(), isOfRecords: isOfRecords)
        }
    }

    /// Whether a record with coordinates is among the first bytes.
    private static func hasRecords(
        _ input: OpenInput, _ cutter: GeoJSONCutter, _ options: InputOptions
    ) -> Bool {
        var own = InputOptions()
        (own.xColumn, own.yColumn) = (options.xColumn, options.yColumn)
        (own.tolerance, own.skipsNonPoints) = (.all, true)
        var block = ByteBlock(capacity: input.start.count)
        block.assign(input.start)
        defer { extendLifetime(block) }
        var cutter = cutter
        guard case .piece(let range, let context)? = try? cutter.cut(block.cursor(), isLast: true)
        else { return false }
        block.truncate(to: range.upperBound)
        var parser = GeoJSONParser(
            PointBuilder(options: own, keys: AttributeKeys(), input: input.name, noun: ""))
        parser.parse(block.cursor(at: range.lowerBound), context)
        return parser.hasRecords
    }

    /// The coordinate system at the very end of a file, where some programs write it.
    private static func crsBehindFeatures(
        of input: OpenInput, _ cutter: GeoJSONCutter
    ) -> CoordinateSystem? {
        guard let path = input.path, let size = input.size,
            let file = try? File(readingRegular: path),
            let tail = try? file.bytes(max(0, size - 4_096)..<size),
            tail.count == min(size, 4_096), let end = tail.lastIndex(of: UInt8(ascii: "]"))
        else { return nil }
        var block = ByteBlock(capacity: tail.count)
        block.assign(tail)
        defer { extendLifetime(block) }
        return cutter.crs(inTrailer: block.cursor(at: end))
    }
}
