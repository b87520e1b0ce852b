import Platform

/// How much memory a build will need, so that one that can't fit is refused before it starts.
struct MemoryForecast {
    /// The memory for a point at the peak, besides its row in the table: columns of the tree, the
    /// layout and its sort, or the engine's levels. Measured with ten million points of three
    /// attributes each.
    private static let bytesBesideTable = 140
    /// The most memory for pieces of the input, pages of the archive and tiles being written: in
    /// all, and for each point.
    private static let bytesUnderWay = 150 << 20
    private static let bytesUnderWayOfPoint = 200
    /// The bytes of a row of the table, before it is known.
    private static let bytesOfRow = 70

    let bytes: Int

    /// The forecast for points that have been read.
    /// - Parameter carried: the bytes of what clusters will carry.
    init(points: Int, tableBytes: Int, carried: Int = 0) {
        bytes = tableBytes + carried + Self.bytesBesideTable(points)
    }

    init(for inputs: [LayerInput]) {
        self.init(
            points: inputs.reduce(0) { $0 + $1.table.count },
            tableBytes: inputs.reduce(0) { $0 + $1.table.byteCount },
            carried: inputs.reduce(0) { $0 + $1.carriedBytes })
    }

    /// The forecast from the sizes of plain files, based on the records at the beginning of each.
    ///
    /// Inputs of unknown size (pipes, URLs, compressed files, databases) count nothing.
    ///
    /// - Parameter carriedOfPoint: the bytes of what clusters will carry, for each point.
    init(files: [String], carriedOfPoint: Int = 0) {
        let points = Self.points(inFiles: files)
        bytes =
            points * Self.bytesOfRow + points * carriedOfPoint + Self.bytesBesideTable(points)
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

    /// The number of records in text: positions in GeoJSON, lines in anything else; none in other data.
    private static func records(in bytes: Span<UInt8>) -> Int {
        let word = Array("\"coordinates\"".utf8)
        var (lines, positions, matched) = (0, 0, 0)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == 0 { return 0 }
            if byte == UInt8(ascii: "\n") { lines += 1 }
            // No prefix of the word occurs again inside it, except for its first quote.
            matched = byte == word[matched] ? matched + 1 : (byte == word[0] ? 1 : 0)
            if matched == word.count {
                positions += 1
                matched = 0
            }
        }
        return positions > 0 ? positions : lines
    }
}
