import CLibrary
import Platform

/// Bytes to be sent, at one fixed address for as long as they are held, so that they go to the
/// socket from where they are, and one payload may be in many answers at once.
@safe
public final class Payload: Sendable {
    // Never written after `init`.
    nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer
    /// Bytes that go from a file to the socket without being read here.
    let file: FilePart?

    /// A part of an open file.
    struct FilePart: Sendable {
        let descriptor: Int32
        let range: Range<Int>
    }

    /// - Complexity: O(bytes), a copy.
    public init(copying source: Span<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
        unsafe source.withUnsafeBytes { unsafe copy.copyMemory(from: $0) }
        unsafe bytes = UnsafeRawBufferPointer(copy)
        file = nil
    }

    /// A part of a file, which must stay as it is while it is sent.
    public init(_ range: Range<Int>, of file: borrowing File) throws(FileError) {
        unsafe bytes = UnsafeRawBufferPointer(
            UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16))
        self.file = FilePart(descriptor: try file.duplicatedDescriptor(), range: range)
    }

    public convenience init(_ bytes: [UInt8]) { self.init(copying: bytes.span) }

    public convenience init(_ text: String) { self.init(Array(text.utf8)) }

    deinit {
        unsafe bytes.deallocate()
        if let file { close(file.descriptor) }
    }

    public var count: Int { unsafe file?.range.count ?? bytes.count }

    /// The bytes in memory; none of a file's.
    public var span: Span<UInt8> {
        @_lifetime(borrow self)
        get {
            let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// The address; the caller keeps the payload alive meanwhile.
    var address: UnsafeMutableRawPointer? {
        unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    }
}
