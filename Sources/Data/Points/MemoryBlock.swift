import CLibrary

#if os(Linux)
    import CMapping
#endif

/// A block of memory. All columns are in such blocks, and no other code allocates or frees memory
/// for them.
///
/// On Linux a large block is its own mapping, with whole huge pages if the kernel has them: it
/// grows by remapping pages, whatever the allocator would do, and pages that are not written yet
/// take no memory.
@safe
public final class MemoryBlock: @unchecked Sendable {
    /// The address of the block. Only growing changes it, which requires unique ownership.
    package private(set) var start: UnsafeMutableRawPointer
    package private(set) var byteCount: Int

    package static let largePage = 2 << 20

    /// Blocks of this size and above are mappings: the heap allocates smaller ones without a system
    /// call.
    package static let leastMapping = 4 << 20

    package init(byteCount: Int) {
        self.byteCount = byteCount
        unsafe start = Self.allocate(byteCount)
    }

    deinit { unsafe Self.free(start, byteCount) }

    /// Grows the block, moving it if necessary; its contents are kept.
    package func grow(to newCount: Int) {
        precondition(newCount >= byteCount, "a block can't shrink")
        unsafe start = Self.enlarge(start, from: byteCount, to: newCount)
        byteCount = newCount
    }

    /// Releases whole pages after `size` bytes: their contents are lost, their addresses stay valid.
    package func discard(from size: Int) {
        #if os(Linux)
            let offset = Self.wholePages(size)
            guard byteCount >= Self.leastMapping, offset < byteCount else { return }
            // Linux's MADV_DONTNEED.
            _ = unsafe madvise(start + offset, Self.wholePages(byteCount) - offset, 4)
        #endif
    }

    /// The number of bytes, rounded up to whole huge pages.
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
        /// Requests huge pages, which take far less time to fill; it is only advice, so the result
        /// is ignored.
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
