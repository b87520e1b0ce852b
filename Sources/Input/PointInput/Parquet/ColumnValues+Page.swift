extension ColumnValues {
    /// Decodes the contents of a decompressed page.
    /// - Parameter levelBytes: the levels of a page of version 2, which are never compressed.
    init(
        _ header: ParquetPageHeader, of column: ParquetColumn, levelBytes: [UInt8]?,
        _ bytes: [UInt8]
    ) throws(ParquetFault) {
        var start = 0
        var levels: ValueLevels?
        if column.definitions > 0, header.kind != .dictionary {
            if let levelBytes {
                levels = try ValueLevels(
                    levelBytes, 0..<levelBytes.count, highest: column.definitions,
                    count: header.count)
            } else {
                guard header.levelEncoding == 3 else {
                    throw .unsupported(
                        "levels are packed as before 2013; write the file anew with any program")
                }
                let range = try Self.counted(bytes, at: 0)
                levels = try ValueLevels(
                    bytes, range, highest: column.definitions, count: header.count)
                start = range.upperBound
            }
        }
        count = levels?.presentCount ?? header.count
        var decoder = ValueDecoder(bytes: bytes, offset: start, count: count, column: column)
        layout = try decoder.layout(header)
        self.bytes = decoder.bytes
        self.levels = count == header.count ? nil : levels
    }

    /// The range of bytes after their length.
    static func counted(_ bytes: [UInt8], at offset: Int) throws(ParquetFault) -> Range<Int> {
        guard bytes.count - offset >= 4 else { throw .outOfBounds("a length") }
        let count = bytes.span.number(offset, 4)
        guard count <= bytes.count - offset - 4 else { throw .outOfBounds("a length") }
        return offset + 4..<offset + 4 + count
    }
}
