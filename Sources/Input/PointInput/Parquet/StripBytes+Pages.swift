extension StripBytes {
    /// Fills a strip's columns from its pages.
    mutating func fill(_ strip: ParquetStrip) throws(InputError) {
        begin(rowCount: strip.rowCount)
        for (parts, column) in zip(strip.parts, strip.columns) {
            var pages: [ColumnValues] = []
            for part in parts { pages.append(try part.page.values(&decompressor)) }
            if let size = pages.first?.evenSize, pages.allSatisfy({ $0.evenSize == size }) {
                append(pages, parts.map(\.rows), of: size)
                continue
            }
            var target = beginColumn(of: column.field.kind)
            for (part, values) in zip(parts, pages) {
                let dictionary = try part.page.dictionary?.values(&decompressor)
                do throws(ColumnFault) {
                    try append(part.rows, of: values, dictionary, to: &target)
                } catch {
                    throw strip.file.malformed(error, at: "column \(column.field.name)")
                }
                target.row += part.rows.count
            }
            endColumn(target)
        }
    }

    /// Appends a column of values of one size as they are in their pages, each preceded by its length.
    private mutating func append(_ pages: [ColumnValues], _ rows: [Range<Int>], of size: Int) {
        var column = ColumnBatch.Column()
        column.step = size + 4
        let start = bytes.count
        for (page, rows) in zip(pages, rows) {
            guard case .even(let start, _) = page.layout else { continue }
            let first = start + rows.lowerBound * column.step
            _ = append(page.bytes[first..<first + rows.count * column.step])
        }
        column.values = start..<bytes.count
        append(column)
    }

    private mutating func append(
        _ rows: Range<Int>, of values: ColumnValues, _ dictionary: ColumnValues?,
        to target: inout Target
    ) throws(ColumnFault) {
        let first = values.levels?.rank(rows.lowerBound, &levels) ?? rows.lowerBound
        if values.levels == nil, case .fixed(let start, let size) = values.layout {
            let from = start + first * size
            return copy(values.bytes, from..<from + rows.count * size, to: target)
        }
        numbers.removeAll(keepingCapacity: true)
        if let levels = values.levels {
            levels.append(rows, from: first, to: &numbers, &self.levels)
            clearValidity(of: &target)
        } else {
            // This loop is vectorized.
            numbers.append(addingCapacity: rows.count) { numbers in
                for number in first..<first + rows.count {
                    numbers.append(UInt32(truncatingIfNeeded: number))
                }
            }
        }
        switch values.layout {
        case .indexes(let runs):
            guard let dictionary else { throw .noDictionary }
            try look(up: runs, from: first, in: dictionary.count)
            try gather(dictionary, to: target)
        case .truths(let runs):
            // A truth value is an index into false and true.
            try look(up: runs, from: first, in: 2)
            gatherBits(to: target) { $0 == 1 }
        default: try gather(values, to: target)
        }
    }

    /// Replaces the numbers of values by those in runs: indexes of a dictionary with `count` values.
    private mutating func look(
        up runs: RunLengths, from first: Int, in count: Int
    ) throws(ColumnFault) {
        let present = numbers.reduce(0) { $0 + ($1 == Self.noValue ? 0 : 1) }
        levels.removeAll(keepingCapacity: true)
        runs.expand(first..<first + present, into: &levels)
        guard present == 0 || levels.reduce(0, max) < count else { throw .badIndex }
        // If all rows have a value, these are the numbers.
        guard present < numbers.count else { return swap(&numbers, &levels) }
        let found = levels
        var numbers = numbers.mutableSpan
        for index in numbers.indices where numbers[index] != Self.noValue {
            numbers[index] = found[Int(numbers[index]) - first]
        }
    }
}
