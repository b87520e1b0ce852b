import Synchronization

/// Reads tables as text: comma-, semicolon-, tab- or bar-separated values (RFC 4180).
///
/// Whether a column contains only numbers is certain only at its last row. So the kinds are guessed
/// from the first rows, and cells are packed accordingly; if a worker finds a cell that refutes a
/// kind, the table is read once more, with the kinds that fit all rows. Most files are read once,
/// and few more than twice.
struct CSVReader: PointReader {
    static let format = InputFormat.csv
    static let fileExtensions = ["csv", "tsv", "tab", "txt", "psv"]

    /// Any text may be a table; so the first line that is not blank must have a delimiter and no unprintable
    /// character, and this reader is the last to be tried.
    static func recognises(_ start: Span<UInt8>) -> Bool {
        var (hasDelimiter, isBlank) = (false, true)
        for index in start.indices {
            let isFirst = isBlank
            if start[index] > 0x20 { isBlank = false }
            switch start[index] {
            case 0x0A where isBlank && !hasDelimiter: continue
            case 0x0A: return hasDelimiter
            case UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|"), 0x09: hasDelimiter = true
            case 0x0D: continue
            case 0..<0x20: return false
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"):
                if isFirst { return false }
            default: continue
            }
        }
        return hasDelimiter
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        try read(input, into: collector, moments: nil)
    }

    /// - Parameter moments: the columns of moments in a table of GDAL's, which has a header; nil for others.
    static func read(
        _ input: OpenInput, into collector: PointCollector, moments: Set<String>?
    ) throws(InputError) {
        let input = try input.repeatable(in: collector.options.temporaryDirectory)
        if try !read(input, into: collector, collector.options, moments) {
            collector.startAgain()
            var options = collector.options
            options.quotes = .letters
            _ = try read(input.again(), into: collector, options, moments)
            noteLetters(collector)
        }
    }

    /// Reads a table; false if quotes in it are letters, unlike the options have it.
    private static func read(
        _ input: OpenInput, into collector: PointCollector, _ options: InputOptions,
        _ moments: Set<String>?
    ) throws(InputError) -> Bool {
        var block = ByteBlock(capacity: input.start.count)
        block.assign(input.start)
        let isWhole = try readHeader(of: input, into: &block, options)
        let layout = try CSVLayout(
            block.cursor(), input: input.name, options: options, moments: moments)
        var guess = CSVParser(
            collector.makeBuilder(), layout: layout, kinds: CSVKinds(count: layout.names.count))
        var first = CSVCutter(layout: layout)
        if case .piece(let rows, _) = try first.cut(
            block.cursor(), isLast: isWhole)
        {
            block.truncate(to: rows.upperBound)
            guess.parse(block.cursor(at: rows.lowerBound), ())
        }
        var kinds = guess.kinds
        kinds.forgetRefutations()
        guard try read(input, into: collector, layout, &kinds) else { return false }
        while kinds.isRefuted {
            collector.startAgain()
            kinds.forgetRefutations()
            guard try read(input.again(), into: collector, layout, &kinds) else { return false }
        }
        for note in layout.notes { collector.note(note) }
        noteGroups(kinds, guess, collector)
        var rows = block.cursor()
        rows.move(to: min(layout.start, rows.end))
        noteMarkers(kinds, guess, rows, collector)
        return true
    }

    /// Reads until the header's line is complete; true if all of the input has been read then.
    private static func readHeader(
        of input: OpenInput, into block: inout ByteBlock, _ options: InputOptions
    ) throws(InputError) -> Bool {
        if input.start.count == input.size { return true }
        if block.hasWholeLine(options) { return false }
        let again = try input.again()
        block.truncate(to: 0)
        while true {
            while block.count < block.capacity {
                if try !block.fill(from: again) { return true }
            }
            if block.hasWholeLine(options) { return false }
            guard block.count < options.longestRecord else {
                throw .recordTooLong(input: input.name, limit: options.longestRecord)
            }
            // The first read of a text in another encoding may return nothing.
            block.grow(to: max(2 * block.capacity, 1 << 12))
        }
    }

    /// Reads all rows, and finds the kinds that fit all of them; false if a cell shows that quotes are letters.
    private static func read(
        _ input: OpenInput, into collector: PointCollector, _ layout: CSVLayout,
        _ kinds: inout CSVKinds
    ) throws(InputError) -> Bool {
        let assumed = kinds
        let seen = Mutex(kinds)
        let isSure: Bool
        do throws(InputError) {
            isSure = try PieceReading<CSVParser>.run(
                input, cutter: CSVCutter(layout: layout), collector: collector
            ) {
                CSVParser(collector.makeBuilder(), layout: layout, kinds: assumed) { found in
                    seen.withLock { $0.add(found) }
                }
            }
        } catch {
            // A quote that is never closed makes one record of all that follows.
            guard layout.quotes == .auto, case .recordTooLong = error else { throw error }
            isSure = false
        }
        kinds = seen.withLock { $0 }
        return isSure
    }
}

extension ByteBlock {
    /// Whether it contains the end of a line outside of quotes; a lone carriage return also counts,
    /// because it is reported before anything else.
    fileprivate func hasWholeLine(_ options: InputOptions) -> Bool {
        let bytes = cursor()
        var isQuoted = false
        for index in 0..<bytes.end {
            switch bytes[index] {
            case UInt8(ascii: "\"") where options.quotes != .letters: isQuoted.toggle()
            case 0x0A, 0x0D: if !isQuoted { return true }
            default: break
            }
        }
        return false
    }
}
