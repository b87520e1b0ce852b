import CLibrary
import Platform
import Synchronization

/// Bytes to send, at one fixed address while they are held: they are sent to the socket without a
/// copy, and several answers can share one payload.
@safe
public final class Payload: Sendable {
    // Never written after `init`.
    nonisolated(unsafe) private let bytes: UnsafeRawBufferPointer
    /// A file's bytes that go to the socket without being read here.
    let file: FilePart?

    private static let held = Atomic<Int>(0)

    /// The bytes in memory of all payloads together.
    static var bytesHeld: Int { held.load(ordering: .relaxed) }

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
        Self.held.wrappingAdd(source.count, ordering: .relaxed)
    }

    /// A part of a file, which must not change while it is sent.
    public init(_ range: Range<Int>, of file: borrowing File) throws(FileError) {
        unsafe bytes = UnsafeRawBufferPointer(
            UnsafeMutableRawBufferPointer.allocate(byteCount: 0, alignment: 16))
        self.file = FilePart(descriptor: try file.duplicatedDescriptor(), range: range)
    }

    public convenience init(_ bytes: [UInt8]) { self.init(copying: bytes.span) }

    public convenience init(_ text: String) { self.init(Array(text.utf8)) }

    deinit {
        unsafe Self.held.wrappingSubtract(bytes.count, ordering: .relaxed)
        unsafe bytes.deallocate()
        if let file { close(file.descriptor) }
    }

    public var count: Int { unsafe file?.range.count ?? bytes.count }

    /// The bytes in memory; empty for a file's.
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
