/// Decodes the values of a page, by encoding.
struct ValueDecoder {
    private(set) var bytes: [UInt8]
    let offset: Int
    let count: Int
    let column: ParquetColumn

    mutating func layout(_ header: ParquetPageHeader) throws(ParquetFault) -> ColumnValues.Layout {
        // The numbers are those of `Encoding` in parquet.thrift.
        switch (header.encoding, column.physical) {
        case (0, _): return try plain()
        case (2, _) where header.kind == .dictionary: return try plain()
        case (2, _), (8, _): return try indexes()
        case (3, .bool):
            let range = try ColumnValues.counted(bytes, at: offset)
            return .truths(try RunLengths(bytes, range, width: 1, count: count))
        case (5, .int32), (5, .int64):
            return fixed(try DeltaDecoder.integers(bytes, offset, count: count).values)
        case (6, .bytes):
            return try texts(lengths: DeltaDecoder.integers(bytes, offset, count: count))
        case (7, .bytes), (7, .fixed): return try DeltaDecoder.texts(&bytes, offset, column, count)
        case (9, _): return try unsplit()
        case (let number, _):
            throw .unsupported(
                "the column \(column.field.name) has values by encoding \(number), which is not read"
            )
        }
    }

    private mutating func plain() throws(ParquetFault) -> ColumnValues.Layout {
        switch column.physical {
        case .bool:
            guard (count + 7) / 8 <= bytes.count - offset else { throw tooShort }
            return .bits(start: offset)
        case .bytes:
            return try texts()
        default:
            guard let size = column.size, count <= (bytes.count - offset) / size else {
                throw tooShort
            }
            if column.physical == .int96 { return fixed(moments()) }
            return .fixed(start: offset, size: size)
        }
    }

    private var tooShort: ParquetFault { .outOfBounds("a page's values") }

    /// Finds texts, each of which is preceded by its length.
    private func texts() throws(ParquetFault) -> ColumnValues.Layout {
        guard count <= (bytes.count - offset) / 4 else { throw tooShort }
        if let size = evenSize { return .even(start: offset, size: size) }
        var starts: [UInt32] = []
        starts.reserveCapacity(count + 1)
        let raw = unsafe bytes.span.bytes
        var next = offset
        for _ in 0..<count {
            guard next <= raw.byteCount - 4 else { throw tooShort }
            starts.append(UInt32(next + 4))
            let length = unsafe raw.unsafeLoadUnaligned(fromByteOffset: next, as: UInt32.self)
            next += 4 + Int(UInt32(littleEndian: length))
        }
        guard next <= raw.byteCount else { throw tooShort }
        starts.append(UInt32(next + 4))
        return .texts(starts: starts, gap: 4)
    }

    /// The size of binary values if all have the same, as points do; otherwise nil.
    private var evenSize: Int? {
        guard column.field.kind.isBinary, count > 0 else { return nil }
        let raw = unsafe bytes.span.bytes
        let first = unsafe raw.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self)
        let size = Int(UInt32(littleEndian: first))
        guard size + 4 <= (raw.byteCount - offset) / count else { return nil }
        for index in 1..<count {
            let place = offset + index * (size + 4)
            let length = unsafe raw.unsafeLoadUnaligned(fromByteOffset: place, as: UInt32.self)
            guard length == first else { return nil }
        }
        return size
    }

    private func texts(
        lengths: (values: [Int64], end: Int)
    ) throws(ParquetFault) -> ColumnValues.Layout {
        var next = lengths.end
        var starts: [UInt32] = [UInt32(next)]
        starts.reserveCapacity(count + 1)
        for length in lengths.values {
            guard length >= 0, length <= bytes.count - next else { throw tooShort }
            next += Int(length)
            starts.append(UInt32(next))
        }
        return .texts(starts: starts, gap: 0)
    }

    private func indexes() throws(ParquetFault) -> ColumnValues.Layout {
        guard count > 0 else { return .indexes(try RunLengths([], 0..<0, width: 0, count: 0)) }
        guard offset < bytes.count else { throw tooShort }
        return .indexes(
            try RunLengths(bytes, offset + 1..<bytes.count, width: Int(bytes[offset]), count: count)
        )
    }

    /// Reorders split values: the first bytes of all values, then the second ones, and so on.
    private mutating func unsplit() throws(ParquetFault) -> ColumnValues.Layout {
        guard let size = column.size, count <= (bytes.count - offset) / size else { throw tooShort }
        var joined = [UInt8](repeating: 0, count: count * size)
        for place in 0..<size {
            let from = offset + place * count
            for index in 0..<count { joined[index * size + place] = bytes[from + index] }
        }
        bytes = joined
        return .fixed(start: 0, size: size)
    }

    /// Stores whole numbers as bytes, as in a plain page.
    private mutating func fixed(_ values: [Int64]) -> ColumnValues.Layout {
        let size = column.physical == .int32 ? 4 : 8
        bytes = unsafe [UInt8](unsafeUninitializedCapacity: values.count * size) { room, count in
            for (index, value) in values.enumerated() {
                let place = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(room)[(index * size)...])
                if size == 4 {
                    unsafe place.storeBytes(
                        of: Int32(truncatingIfNeeded: value).littleEndian, as: Int32.self)
                } else {
                    unsafe place.storeBytes(of: value.littleEndian, as: Int64.self)
                }
            }
            count = values.count * size
        }
        return .fixed(start: 0, size: size)
    }

    /// Moments as microseconds since 1970, from nanoseconds of a day and its Julian number.
    private func moments() -> [Int64] {
        let raw = unsafe bytes.span.bytes
        return (0..<count).map { index in
            let place = offset + 12 * index
            let nanoseconds = unsafe raw.unsafeLoadUnaligned(
                fromByteOffset: place, as: Int64.self)
            let day = unsafe raw.unsafeLoadUnaligned(fromByteOffset: place + 8, as: UInt32.self)
            // Values outside of every calendar wrap around.
            return (Int64(UInt32(littleEndian: day)) - 2_440_588) &* 86_400_000_000
                &+ Int64(littleEndian: nanoseconds) / 1_000
        }
    }
}
