import CLibrary

#if os(Linux)
    import CMapping
#endif

/// A block of memory: all columns are in such blocks, and no other code allocates
/// or frees memory for them.
///
/// On Linux a large block is a mapping of its own, of whole large pages where the kernel has some:
/// it grows by moving pages, whatever the allocator would do, and pages that are not written yet
/// take no memory.
@safe
public final class MemoryBlock: @unchecked Sendable {
    /// Where the block is. Only growing changes it, and then the caller must have it alone.
    package private(set) var start: UnsafeMutableRawPointer
    package private(set) var byteCount: Int

    package static let largePage = 2 << 20

    /// From this size on a block is a mapping: the heap hands out smaller ones without asking the
    /// system.
    package static let leastMapping = 4 << 20

    package init(byteCount: Int) {
        self.byteCount = byteCount
        unsafe start = Self.allocate(byteCount)
    }

    deinit { unsafe Self.free(start, byteCount) }

    /// Gives the block more memory, at another address if need be; what it holds is kept.
    package func grow(to newCount: Int) {
        precondition(newCount >= byteCount, "a block can't shrink")
        unsafe start = Self.enlarge(start, from: byteCount, to: newCount)
        byteCount = newCount
    }

    /// Lets go of whole pages behind that many bytes: what they held is lost, their addresses stay.
    package func discard(from size: Int) {
        #if os(Linux)
            let offset = Self.wholePages(size)
            guard byteCount >= Self.leastMapping, offset < byteCount else { return }
            // Linux's MADV_DONTNEED.
            _ = unsafe madvise(start + offset, Self.wholePages(byteCount) - offset, 4)
        #endif
    }

    /// That many bytes, and what is missing to the end of the last large page.
    package static func wholePages(_ bytes: Int) -> Int {
        (bytes + largePage - 1) & ~(largePage - 1)
    }

    private static func fail(_ bytes: Int) -> Never {
        fatalError("out of memory: a column of \(bytes) bytes does not fit")
    }
}

// MARK: - From the heap and from the system

extension MemoryBlock {
    private static func allocate(_ bytes: Int) -> UnsafeMutableRawPointer {
        #if os(Linux)
            if bytes >= leastMapping {
                return unsafe advised(
                    mmap(
                        nil, wholePages(bytes), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), bytes)
            }
        #endif
        guard let block = unsafe malloc(max(bytes, 1)) else { fail(bytes) }
        return unsafe block
    }

    private static func free(_ block: UnsafeMutableRawPointer, _ bytes: Int) {
        #if os(Linux)
            if bytes >= leastMapping {
                unsafe munmap(block, wholePages(bytes))
                return
            }
        #endif
        unsafe CLibrary.free(block)
    }

    private static func enlarge(
        _ old: UnsafeMutableRawPointer, from oldBytes: Int, to bytes: Int
    ) -> UnsafeMutableRawPointer {
        #if os(Linux)
            if oldBytes >= leastMapping {
                return unsafe advised(
                    covey_grow_mapping(old, wholePages(oldBytes), wholePages(bytes)), bytes)
            }
            if bytes >= leastMapping {
                let block = unsafe allocate(bytes)
                unsafe block.copyMemory(from: old, byteCount: oldBytes)
                unsafe free(old, oldBytes)
                return unsafe block
            }
        #endif
        guard let block = unsafe realloc(old, max(bytes, 1)) else { fail(bytes) }
        return unsafe block
    }

    #if os(Linux)
        /// Asks for large pages, which take far less time to fill; only advice, so nothing depends
        /// on the answer.
        private static func advised(
            _ mapping: UnsafeMutableRawPointer?, _ bytes: Int
        ) -> UnsafeMutableRawPointer {
            guard let block = unsafe mapping, unsafe block != MAP_FAILED else { fail(bytes) }
            // Linux's MADV_HUGEPAGE, which not every C library's headers have.
            _ = unsafe madvise(block, wholePages(bytes), 14)
            return unsafe block
        }
    #endif
}
