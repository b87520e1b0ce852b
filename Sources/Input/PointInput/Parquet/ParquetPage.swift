import Compression
import Synchronization

/// A page, which is read, decompressed and decoded when the first of its rows is needed.
///
/// Strips that share a page share this object; it is released with the last of them.
final class ParquetPage: Sendable {
    let header: ParquetPageHeader
    let dictionary: ParquetPage?
    private let file: InputFile
    private let column: ParquetColumn
    private let codec: Int
    /// The offset in the file of the data after the header.
    private let offset: Int
    private let decoded = Mutex<ColumnValues?>(nil)

    init(
        _ header: ParquetPageHeader, of column: ParquetColumn, codec: Int, in file: InputFile,
        at offset: Int, dictionary: ParquetPage?
    ) {
        self.header = header
        self.column = column
        self.codec = codec
        self.file = file
        self.offset = offset
        self.dictionary = dictionary
    }

    func values(_ decompressor: inout BlockDecompressor) throws(InputError) -> ColumnValues {
        try decoded.withLock { decoded throws(InputError) in
            if let decoded { return decoded }
            let values = try decode(&decompressor)
            decoded = values
            return values
        }
    }

    private func decode(_ decompressor: inout BlockDecompressor) throws(InputError) -> ColumnValues
    {
        let packed = try file.bytes(offset..<offset + header.packedSize)
        do throws(ParquetFault) {
            guard header.kind == .data2 else {
                let bytes = try unpacked(packed, from: 0, size: header.size, &decompressor)
                return try ColumnValues(header, of: column, levelBytes: nil, bytes)
            }
            let levels = header.repetitionBytes + header.definitionBytes
            guard levels <= packed.count else { throw .outOfBounds("the levels of a page") }
            let bytes = try unpacked(
                packed, from: levels, size: header.size - levels, &decompressor)
            let levelBytes = Array(packed[header.repetitionBytes..<levels])
            return try ColumnValues(header, of: column, levelBytes: levelBytes, bytes)
        } catch {
            throw file.malformed(error, at: "byte \(offset), in the column \(column.field.name)")
        }
    }

    private func unpacked(
        _ bytes: [UInt8], from start: Int, size: Int, _ decompressor: inout BlockDecompressor
    ) throws(ParquetFault) -> [UInt8] {
        guard codec != 0, header.isPacked else {
            return start == 0 ? bytes : Array(bytes[start...])
        }
        let codec = try Self.codec(codec)
        do throws(CompressionError) {
            return try decompressor.decompress(
                bytes.span.extracting(start..<bytes.count), codec, size: size)
        } catch {
            throw .damaged(error.description)
        }
    }

    /// The numbers are those of `CompressionCodec` in parquet.thrift.
    private static func codec(_ number: Int) throws(ParquetFault) -> BlockCodec {
        switch number {
        case 1: return .snappy
        case 2: return .gzip
        case 4: return .brotli
        case 6: return .zstandard
        case 7: return .lz4
        case 3: throw .unsupported("pages are packed by LZO, which is not read; pack them by zstd")
        case 5:
            throw .unsupported(
                "pages are packed by LZ4 as Hadoop framed it, which is not read; pack them by "
                    + "lz4_raw or zstd")
        default: throw .unsupported("pages are packed by codec \(number), which is not read")
        }
    }
}
