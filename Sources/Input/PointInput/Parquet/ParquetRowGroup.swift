/// A row group: its number of rows, and the places of the wanted columns' pages.
struct ParquetRowGroup {
    private(set) var rowCount = 0
    /// In the order of the wanted columns.
    private(set) var chunks: [ParquetChunk] = []
    /// The statistics of some leaves.
    private(set) var statistics: [Int: ParquetStatistics] = [:]

    /// Reads a row group's description, including those columns whose leaves are wanted.
    /// - Parameters:
    ///   - cursor: a cursor at the description.
    ///   - columns: the wanted columns.
    ///   - judged: the leaves whose statistics are needed.
    init(
        _ cursor: inout ThriftCursor, of columns: [ParquetColumn], judged: Set<Int>
    ) throws(ParquetFault) {
        var found = [ParquetChunk?](repeating: nil, count: columns.count)
        var id = 0
        while let kind = try cursor.field(&id) {
            switch id {
            case 1:
                for leaf in 0..<(try cursor.structures(kind)) {
                    let wanted = columns.firstIndex { $0.leaf == leaf }
                    guard wanted != nil || judged.contains(leaf) else {
                        try cursor.skip(.structure)
                        continue
                    }
                    let chunk = try ParquetChunk(&cursor)
                    if let wanted { found[wanted] = chunk }
                    if judged.contains(leaf) { statistics[leaf] = chunk.statistics }
                }
            case 3: rowCount = try cursor.integer(kind)
            default: try cursor.skip(kind)
            }
        }
        guard rowCount >= 0 else { throw .badFooter("a row group has \(rowCount) rows") }
        for (chunk, column) in zip(found, columns) {
            guard let chunk, let physical = chunk.physical else {
                throw .badFooter("a row group lacks the column \(column.field.name)")
            }
            guard physical == column.physical.rawValue else {
                throw .badFooter("the column \(column.field.name) is of two types")
            }
            chunks.append(chunk)
        }
    }
}

/// The place of a column's pages in a row group, and their compression.
struct ParquetChunk {
    private(set) var physical: Int?
    private(set) var codec = 0
    private(set) var packedSize = 0
    private(set) var dataOffset = 0
    private(set) var dictionaryOffset: Int?
    private(set) var statistics: ParquetStatistics?

    /// Reads a column chunk's description, in which `ColumnMetaData` is field 3.
    fileprivate init(_ cursor: inout ThriftCursor) throws(ParquetFault) {
        var id = 0
        while let kind = try cursor.field(&id) {
            switch id {
            case 1: throw .unsupported("columns are in other files; name these themselves")
            case 3:
                try cursor.expect(kind, .structure)
                try readMetadata(&cursor)
            case 8, 9: throw .encrypted
            default: try cursor.skip(kind)
            }
        }
    }

    private mutating func readMetadata(_ cursor: inout ThriftCursor) throws(ParquetFault) {
        var id = 0
        while let kind = try cursor.field(&id) {
            switch id {
            case 1: physical = try cursor.integer(kind)
            case 4: codec = try cursor.integer(kind)
            case 7: packedSize = try cursor.integer(kind)
            case 9: dataOffset = try cursor.integer(kind)
            case 11: dictionaryOffset = try cursor.integer(kind)
            case 12:
                try cursor.expect(kind, .structure)
                statistics = try ParquetStatistics(&cursor, of: physical)
            default: try cursor.skip(kind)
            }
        }
    }

    /// The range of its pages in a file of this size.
    func range(in fileSize: Int, of column: String) throws(ParquetFault) -> Range<Int> {
        // Some programs write 0 if there is no dictionary.
        var start = dataOffset
        if let dictionaryOffset, dictionaryOffset > 0 { start = min(start, dictionaryOffset) }
        guard start >= 4, packedSize >= 0, start <= fileSize, packedSize <= fileSize - start else {
            throw .outOfBounds("the column \(column)")
        }
        return start..<start + packedSize
    }
}
