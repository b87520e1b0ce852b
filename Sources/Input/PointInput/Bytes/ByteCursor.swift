import CLibrary

/// An offset in a stretch of bytes and the steps from there; the only type that reads raw memory.
///
/// Why it is safe: `offset ≤ end` holds always, as steps are checked or go over bytes that aren't
/// 0; and at `end` there are `ByteBlock.padding` zeros, which cover every load of a byte, a word or
/// a group at an offset up to `end`. So at the end the byte at hand is 0, and a loop that goes over
/// anything else stops there without a check of its own.
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

    /// A cursor over nothing.
    static var empty: ByteCursor { unsafe ByteCursor(base: emptyBytes, offset: 0, end: 0) }
    private nonisolated(unsafe) static let emptyBytes = {
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: ByteBlock.padding)
        unsafe bytes.initialize(repeating: 0, count: ByteBlock.padding)
        return unsafe UnsafePointer(bytes)
    }()

    /// The byte at hand, 0 at the end.
    @inline(__always)
    var byte: UInt8 { unsafe base[offset] }

    @inline(__always)
    var isAtEnd: Bool { offset >= end }

    /// The byte at any offset of the stretch, 0 at the end.
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

    /// Goes over bytes that were seen not to be 0, so that all of them lie in front of the end.
    @inline(__always)
    mutating func pass(_ count: Int = 1) {
        assert(count >= 0 && count <= end - offset)
        offset &+= count
    }

    mutating func move(to index: Int) {
        precondition(index >= 0 && index <= end)
        offset = index
    }

    /// Goes to the next byte of that value or to the end; for long ways, as it asks the C library.
    mutating func move(toNext byte: UInt8) {
        let start = unsafe base + offset
        guard let found = unsafe memchr(start, Int32(byte), end - offset) else {
            return offset = end
        }
        offset += unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    /// The eight bytes at hand, the first in the lowest bits; those behind the end are arbitrary.
    @inline(__always)
    func word() -> UInt64 {
        let word = unsafe UnsafeRawPointer(base + offset).loadUnaligned(as: UInt64.self)
        return UInt64(littleEndian: word)
    }

    /// Eight bytes a few behind the cursor; only bytes that aren't 0 may lie between.
    @inline(__always)
    func word(at index: Int) -> UInt64 {
        assert(index >= offset && index <= end)
        return UInt64(
            littleEndian: unsafe UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self))
    }

    /// A byte a few behind the cursor; only bytes that aren't 0 may lie between.
    @inline(__always)
    func byte(at index: Int) -> UInt8 {
        assert(index >= offset && index <= end)
        return unsafe base[index]
    }

    /// Sixteen bytes at an index; those behind the end are arbitrary.
    @inline(__always)
    func group(at index: Int) -> SIMD16<UInt8> {
        precondition(index >= 0 && index <= end)
        return unsafe UnsafeRawPointer(base + index).loadUnaligned(as: SIMD16<UInt8>.self)
    }

    /// The bytes of a range, for use at once.
    @inline(__always)
    @_lifetime(borrow self)
    func span(_ range: Range<Int>) -> Span<UInt8> {
        precondition(range.lowerBound >= 0 && range.upperBound <= end)
        let bytes = unsafe UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
        let span = unsafe Span(_unsafeElements: bytes)
        return unsafe _overrideLifetime(span, borrowing: self)
    }

    /// Whether these bytes come next. The first eight are compared as a word, which `mask` cuts to
    /// those there are.
    @inline(__always)
    func isAt(_ first: UInt64, mask: UInt64, rest: Span<UInt8>, count: Int) -> Bool {
        guard count <= end - offset, word() & mask == first else { return false }
        for index in rest.indices where unsafe base[offset + 8 + index] != rest[index] {
            return false
        }
        return true
    }

    /// Goes over these bytes, 4 to 16 and none of them 0, if they come next.
    ///
    /// Two words that overlap are compared with what is known when this is compiled.
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
