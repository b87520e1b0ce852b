#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A stretch of addresses whose pages the system brings in when they are first written.
@safe
final class PageRegion: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    /// Less is not worth a region: a heap hands out smaller blocks without asking the system.
    static let leastSize = 4 << 20
    /// Linux has pages of 2 MiB on this kind of processor, and an allocation that large is
    /// mapped, not taken from the heap.
    private static let largePage = 2 << 20

    init(_ byteCount: Int) {
        // Whole pages, so that none that is let go of belongs to somebody else as well.
        self.byteCount = Self.wholePages(byteCount)
        unsafe start = .allocate(byteCount: self.byteCount, alignment: Self.largePage)
        #if os(Linux)
            // Only a hint, so nothing depends on the answer. The constant of Linux is spelled
            // out, as not every C library's headers have it.
            let hugePages: Int32 = 14
            _ = unsafe madvise(start, self.byteCount, hugePages)
        #endif
    }

    /// Lets go of what lies behind that many bytes.
    func discard(from size: Int) {
        #if os(Linux)
            let offset = Self.wholePages(size)
            guard offset < byteCount else { return }
            let dontNeed: Int32 = 4
            _ = unsafe madvise(start + offset, byteCount - offset, dontNeed)
        #endif
    }

    private static func wholePages(_ byteCount: Int) -> Int {
        (byteCount + largePage - 1) / largePage * largePage
    }

    deinit { unsafe start.deallocate() }
}
