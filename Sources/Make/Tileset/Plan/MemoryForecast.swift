import Platform

/// How much memory a build will need, so that one that can't fit is refused before it starts.
struct MemoryForecast {
    /// What a point takes at the peak beside its row in the table: columns of the tree, the layout
    /// and the sort for it, or the engine's levels. Measured with ten million points of three
    /// attributes each.
    private static let bytesBesideTable = 140
    /// What pieces of the input, pages of the archive and tiles on their way take together: no more
    /// than so much, and no more a point either.
    private static let bytesUnderWay = 150 << 20
    private static let bytesUnderWayOfPoint = 200
    /// What a row of the table takes, before it is known.
    private static let bytesOfRow = 70

    let bytes: Int

    /// The forecast for points that have been read.
    init(points: Int, tableBytes: Int) {
        bytes = tableBytes + Self.bytesBesideTable(points)
    }

    init(for inputs: [LayerInput]) {
        self.init(
            points: inputs.reduce(0) { $0 + $1.table.count },
            tableBytes: inputs.reduce(0) { $0 + $1.table.byteCount })
    }

    /// The forecast from the sizes of plain files, by the records in the first stretch of each.
    ///
    /// What can't be told (pipes, URLs, compressed files, databases) counts nothing.
    init(files: [String]) {
        let points = Self.points(inFiles: files)
        bytes = points * Self.bytesOfRow + Self.bytesBesideTable(points)
    }

    /// About how many points there are in plain files.
    static func points(inFiles files: [String]) -> Int {
        files.reduce(0) { $0 + points(inFile: $1) }
    }

    private static func bytesBesideTable(_ points: Int) -> Int {
        points * bytesBesideTable + min(points * bytesUnderWayOfPoint, bytesUnderWay)
    }

    private static func points(inFile path: String) -> Int {
        guard let file = try? File(readingRegular: path), let size = try? file.status().size,
            let start = try? file.bytes(upTo: 1 << 18)
        else { return 0 }
        let records = Self.records(in: start.span)
        return Int(Double(records) * Double(size) / Double(max(start.count, 1)))
    }

    /// Records of text: positions in GeoJSON, lines in anything else; none in what isn't text.
    private static func records(in bytes: Span<UInt8>) -> Int {
        let word = Array("\"coordinates\"".utf8)
        var (lines, positions, matched) = (0, 0, 0)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == 0 { return 0 }
            if byte == UInt8(ascii: "\n") { lines += 1 }
            // No prefix of the word occurs inside it again but the quote that starts it.
            matched = byte == word[matched] ? matched + 1 : (byte == word[0] ? 1 : 0)
            if matched == word.count {
                positions += 1
                matched = 0
            }
        }
        return positions > 0 ? positions : lines
    }
}
