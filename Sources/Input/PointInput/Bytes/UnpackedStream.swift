import Compression

/// A decompressor that works piece by piece.
protocol StreamUnpacker: ~Copyable {
    mutating func unpack(
        _ input: Span<UInt8>, into output: inout OutputSpan<UInt8>
    ) throws(CompressionError) -> Int
    mutating func finish() throws(CompressionError)
}

extension InflateStream: StreamUnpacker {}
extension ZstandardStream: StreamUnpacker {}

/// The decompressed contents of another source's stream.
final class UnpackedStream<Unpacker: StreamUnpacker & ~Copyable>: ByteStream {
    private let source: any ByteStream
    private let name: String
    private let format: String
    private var unpacker: Unpacker
    private var packed = ByteBlock(capacity: 1 << 18)
    /// The number of compressed bytes in the buffer that are used up.
    private var used = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - name: the input's name in messages.
    ///   - format: the compression's name in messages.
    init(
        _ source: any ByteStream, _ unpacker: consuming Unpacker, name: String, format: String
    ) {
        self.source = source
        self.unpacker = unpacker
        self.name = name
        self.format = format
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        guard buffer.count > 0 else { return 0 }
        while true {
            // There may be more output after all compressed bytes are used up.
            let before = used
            let count = try unsafe unpack(into: buffer)
            if count > 0 { return count }
            guard used == packed.count else {
                if used == before { throw fault(.trailingBytes(offset: used)) }
                continue
            }
            if isAtEnd { return 0 }
            packed.truncate(to: 0)
            used = 0
            isAtEnd = try !packed.fill(from: source)
            if isAtEnd {
                do throws(CompressionError) { try unpacker.finish() } catch { throw fault(error) }
            }
        }
    }

    private func unpack(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(InputError) -> Int {
        let target = unsafe buffer.bindMemory(to: UInt8.self)
        var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
        do throws(CompressionError) {
            let bytes = packed.cursor(at: used)
            used += try unpacker.unpack(bytes.span(used..<bytes.end), into: &output)
        } catch {
            throw fault(error)
        }
        return unsafe output.finalize(for: target)
    }

    private func fault(_ error: CompressionError) -> InputError {
        .malformed(input: name, location: format, problem: error.description)
    }
}
