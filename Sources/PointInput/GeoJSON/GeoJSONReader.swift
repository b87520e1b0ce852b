/// GeoJSON (RFC 7946) of any arrangement, text sequences (RFC 8142) and objects line by line.
struct GeoJSONReader: PointReader {
    static let format = InputFormat.geoJSON
    static let fileExtensions = [
        "geojson", "json", "geojsonl", "geojsons", "geojsonseq", "ndjson", "jsonl", "ldjson",
        "ndgeojson",
    ]

    static func recognises(_ start: Span<UInt8>) -> Bool {
        // No other format here starts with a brace; RS starts a text sequence.
        for index in start.indices {
            switch start[index] {
            case UInt8(ascii: "{"): return true
            case 0x20, 0x09, 0x0A, 0x0D, 0x1E: continue
            case 0xEF, 0xBB, 0xBF: if index > 2 { return false }
            default: return false
            }
        }
        return false
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        if input.isRepeatable {
            // Collections are cut by their looks, which each piece bears out or not; it takes a fault,
            // or features within features, to be wrong.
            if try read(input, into: collector, mayGuess: true) { return }
            collector.startAgain()
            _ = try read(input.again(), into: collector, mayGuess: false)
        } else {
            _ = try read(input, into: collector, mayGuess: false)
        }
    }

    private static func read(
        _ input: OpenInput, into collector: PointCollector, mayGuess: Bool
    ) throws(InputError) -> Bool {
        try PieceReading<GeoJSONParser>.run(
            input,
            cutter: GeoJSONCutter(
                input: input.name, mayGuess: mayGuess, usualCRS: collector.options.crs),
            collector: collector
        ) {
            GeoJSONParser(collector.makeBuilder())
        }
    }
}
