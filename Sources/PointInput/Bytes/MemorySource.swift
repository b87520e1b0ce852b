/// Bytes that are in memory already.
final class MemorySource: ByteSource {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(InputError) -> Int {
        let next = bytes[position..<min(bytes.count, position + buffer.count)]
        unsafe buffer.copyBytes(from: next)
        position = next.endIndex
        return next.count
    }
}
