import CLibrary

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

    /// The forecast from the sizes of plain files, by the records in the first stretch of each.
    ///
    /// What can't be told (pipes, URLs, compressed files, databases) counts nothing.
    init(files: [String]) {
        let points = files.reduce(0) { $0 + Self.points(inFile: $1) }
        bytes = points * Self.bytesOfRow + Self.bytesBesideTable(points)
    }

    private static func bytesBesideTable(_ points: Int) -> Int {
        points * bytesBesideTable + min(points * bytesUnderWayOfPoint, bytesUnderWay)
    }

    /// Throws if a build may not use that much.
    /// - Parameter allowed: the most bytes it may use; nil is three quarters of the machine's.
    func check(allowed: Int?) throws(BuildError) {
        let allowed = allowed ?? Self.machineBytes / 4 * 3
        if bytes > allowed { throw .notEnoughMemory(needed: bytes, allowed: allowed) }
    }

    private static var machineBytes: Int {
        sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    }

    private static func points(inFile path: String) -> Int {
        let size = FileSize.bytes(of: path)
        guard size > 0, let file = unsafe fopen(path, "rb") else { return 0 }
        defer { unsafe fclose(file) }
        var start = [UInt8](repeating: 0, count: min(size, 1 << 18))
        let count = unsafe fread(&start, 1, start.count, file)
        let records = Self.records(in: start.span.extracting(first: count))
        return Int(Double(records) * Double(size) / Double(max(count, 1)))
    }

    /// Records of text: places in GeoJSON, lines in anything else; none in what isn't text.
    private static func records(in bytes: Span<UInt8>) -> Int {
        let word = Array("\"coordinates\"".utf8)
        var (lines, places, matched) = (0, 0, 0)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == 0 { return 0 }
            if byte == UInt8(ascii: "\n") { lines += 1 }
            // No prefix of the word occurs inside it again but the quote that starts it.
            matched = byte == word[matched] ? matched + 1 : (byte == word[0] ? 1 : 0)
            if matched == word.count {
                places += 1
                matched = 0
            }
        }
        return places > 0 ? places : lines
    }
}
