import CLibrary

/// The large pages of memory that Linux has on this kind of processor: filling fresh memory takes
/// far less time with them.
package enum LargePages {
    package static let size = 2 << 20

    /// Less is not worth a mapping of its own: a heap hands out smaller blocks without asking the
    /// system.
    package static let leastBlock = 4 << 20

    /// That many bytes, and what is missing to the end of the last page.
    package static func whole(_ bytes: Int) -> Int { (bytes + size - 1) & ~(size - 1) }

    /// Asks for large pages; only advice, so nothing depends on the answer.
    package static func advise(_ block: UnsafeMutableRawPointer, bytes: Int) {
        #if os(Linux)
            // Linux's MADV_HUGEPAGE, which not every C library's headers have.
            _ = unsafe madvise(block, bytes, 14)
        #endif
    }

    /// Lets go of the pages of a block, whose addresses stay.
    package static func discard(_ block: UnsafeMutableRawPointer, bytes: Int) {
        #if os(Linux)
            // Linux's MADV_DONTNEED.
            _ = unsafe madvise(block, bytes, 4)
        #endif
    }
}
