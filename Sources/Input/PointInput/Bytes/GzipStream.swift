import Compression

/// The bytes that another source's gzip stream holds (RFC 1952), of any number of members.
final class GzipStream: ByteStream {
    private let source: any ByteStream
    private let name: String
    private var stream = InflateStream(format: .gzip)
    private var compressed = ByteBlock(capacity: 1 << 18)
    /// How many of the compressed bytes at hand are used up.
    private var used = 0

    init(_ source: any ByteStream, name: String) {
        self.source = source
        self.name = name
    }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        while true {
            if used == compressed.count {
                compressed.truncate(to: 0)
                used = 0
                guard try compressed.fill(from: source) else {
                    do throws(CompressionError) { try stream.finish() } catch { throw fault(error) }
                    return 0
                }
            }
            let count = try unsafe inflate(into: buffer)
            if count > 0 { return count }
        }
    }

    private func inflate(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(InputError) -> Int {
        let target = unsafe buffer.bindMemory(to: UInt8.self)
        var output = unsafe OutputSpan(buffer: target, initializedCount: 0)
        do throws(CompressionError) {
            let bytes = compressed.cursor(at: used)
            used += try stream.inflate(bytes.span(used..<bytes.end), into: &output)
        } catch {
            throw fault(error)
        }
        return unsafe output.finalize(for: target)
    }

    private func fault(_ error: CompressionError) -> InputError {
        .malformed(input: name, location: "gzip", problem: error.description)
    }
}
