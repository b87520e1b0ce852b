import Points

/// A stretch of addresses whose pages the system brings in when they are first written.
@safe
final class PageRegion: @unchecked Sendable {
    let start: UnsafeMutableRawPointer
    let byteCount: Int

    static let leastSize = LargePages.leastBlock

    init(_ byteCount: Int) {
        // Whole pages, so that none that is let go of belongs to somebody else as well.
        self.byteCount = LargePages.whole(byteCount)
        unsafe start = .allocate(byteCount: self.byteCount, alignment: LargePages.size)
        unsafe LargePages.advise(start, bytes: self.byteCount)
    }

    /// Lets go of what lies behind that many bytes.
    func discard(from size: Int) {
        let offset = LargePages.whole(size)
        guard offset < byteCount else { return }
        unsafe LargePages.discard(start + offset, bytes: byteCount - offset)
    }

    deinit { unsafe start.deallocate() }
}
