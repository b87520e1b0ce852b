import CLibrary

/// An offset in a range of bytes; the only type that reads raw memory.
///
/// It is safe because `offset ≤ end` always holds, as steps are checked or pass only bytes that
/// aren't 0; and after `end` there are `ByteBlock.padding` zeros, which cover every load of a byte,
/// a word or a group at an offset up to `end`. So the current byte is 0 at the end, and a loop that
/// passes anything else stops there without its own check.
@safe
struct ByteCursor {
    private let base: UnsafePointer<UInt8>
    private(set) var offset: Int
    let end: Int

    init(base: UnsafePointer<UInt8>, offset: Int, end: Int) {
        unsafe self.base = base
        self.offset = offset
        self.end = end
    }

    /// A cursor over no bytes.
    static var empty: ByteCursor { unsafe ByteCursor(base: emptyBytes, offset: 0, end: 0) }
    private nonisolated(unsafe) static let emptyBytes = {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: ByteBlock.padding)
        unsafe bytes.initialize(repeating: 0, count: ByteBlock.padding)
        return unsafe UnsafePointer(bytes)
    }()

    /// The current byte; 0 at the end.
    @inline(__always)
    var byte: UInt8 { unsafe base[offset] }

    @inline(__always)
    var isAtEnd: Bool { offset >= end }

    /// The byte at any offset in the range; 0 at the end.
    @inline(__always)
    subscript(index: Int) -> UInt8 {
        precondition(index >= 0 && index <= end)
        return unsafe base[index]
    }

    @inline(__always)
    mutating func advance(by count: Int = 1) {
        precondition(count >= 0 && count <= end - offset)
        offset += count
    }

    /// Passes bytes that are known not to be 0, and so are all before the end.
    @inline(__always)
    mutating func pass(_ count: Int = 1) {
        assert(count >= 0 && count <= end - offset)
        offset &+= count
    }

    mutating func move(to index: Int) {
        precondition(index >= 0 && index <= end)
        offset = index
    }

    /// Moves to the next byte of this value or to the end; for long distances, as it calls the C library.
    mutating func move(toNext byte: UInt8) {
        let start = unsafe base + offset
        guard let found = unsafe memchr(start, Int32(byte), end - offset) else {
            return offset = end
        }
        offset += unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    /// The next eight bytes, the first in the lowest bits; those after the end are arbitrary.
    @inline(__always)
    func word() -> UInt64 {
        let word = unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self)
        return UInt64(littleEndian: word)
    }

    /// Eight bytes a little after the cursor; all bytes between must not be 0.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        assert(index >= offset && index <= end)
        return UInt64(
            littleEndian: unsafe UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    }

    /// A byte a little after the cursor; all bytes between must not be 0.
    @inline(__always)
    func byte(at index: Int) -> UInt8 {
        assert(index >= offset && index <= end)
        return unsafe base[index]
    }

    /// Sixteen bytes at an index; those after the end are arbitrary.
    @inline(__always)
    func group(at index: Int) -> SIMD16<UInt8> {
        precondition(index >= 0 && index <= end)
        return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    /// The bytes of a range, for immediate use.
    @inline(__always)
    @_lifetime(borrow self)
    func span(_ range: Range<Int>) -> Span<UInt8> {
        precondition(range.lowerBound >= 0 && range.upperBound <= end)
        let bytes = unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
        let span = unsafe Span(_unsafeElements: bytes)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Whether these bytes come next. The first eight are compared as a word, which `mask` limits
    /// to the bytes that exist.
    @inline(__always)
    func isAt(_ first: UInt64, mask: UInt64, rest: Span<UInt8>, count: Int) -> Bool {
        guard count <= end - offset, word() & mask == first else { return false }
        for index in rest.indices where unsafe base[offset + 8 + index] != rest[index] {
            return false
        }
        return true
    }

    /// Passes these bytes, 4 to 16 and none of them 0, if they come next.
    ///
    /// Two overlapping words are compared with compile-time constants.
    @inline(__always)
    mutating func skip(spelled text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        let start = unsafe UnsafeRawPointer(base + offset)
        let spelled = unsafe UnsafeRawPointer(text.utf8Start)
        if count >= 8 {
            guard unsafe Self.areEqual(start, spelled, at: 0, as: UInt64.self),
                unsafe Self.areEqual(start, spelled, at: count - 8, as: UInt64.self)
            else { return false }
        } else {
            guard unsafe Self.areEqual(start, spelled, at: 0, as: UInt32.self),
                unsafe Self.areEqual(start, spelled, at: count - 4, as: UInt32.self)
            else { return false }
        }
        pass(count)
        return true
    }

    @inline(__always)
    private static func areEqual<Word: FixedWidthInteger & BitwiseCopyable>(
        _ one: UnsafeRawPointer, _ other: UnsafeRawPointer, at offset: Int, as type: Word.Type
    ) -> Bool {
        let word = unsafe one.loadUnaligned(fromByteOffset: offset, as: type)
        return unsafe word == other.loadUnaligned(fromByteOffset: offset, as: type)
    }
}
