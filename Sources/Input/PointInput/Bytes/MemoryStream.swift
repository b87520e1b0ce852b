/// A stream of bytes in memory.
final class MemoryStream: ByteStream {
    private let bytes: [UInt8]
    private var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        let next = bytes[offset..<min(bytes.count, offset + buffer.count)]
        unsafe buffer.copyBytes(from: next)
        offset = next.endIndex
        return next.count
    }
}
