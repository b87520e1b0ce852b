#if os(Linux)
    import CMapping
#endif

import CLibrary

/// Blocks of memory for columns, which grow without being copied once they are large.
///
/// On Linux a large block is a mapping of its own: it grows by moving pages, whatever the allocator
/// would do, and its pages are large where the kernel has some.
enum ColumnMemory {
    /// From this size on a block is a mapping.
    private static let large = LargePages.leastBlock

    /// A mapping is of whole large pages: one in part would be filled with small ones.
    private static func mappedSize(_ bytes: Int) -> Int { LargePages.whole(bytes) }

    /// Gives a block another size; `old` is nil for a new one.
    static func resize(
        _ old: UnsafeMutableRawPointer?, from oldBytes: Int, to bytes: Int
    ) -> UnsafeMutableRawPointer {
        #if os(Linux)
            if bytes >= large {
                let block = unsafe map(old, from: oldBytes, to: bytes)
                if let old = unsafe old, oldBytes < large {
                    unsafe block.copyMemory(from: old, byteCount: oldBytes)
                    unsafe Self.free(old, bytes: oldBytes)
                }
                return unsafe block
            }
        #endif
        guard let block = unsafe realloc(old, bytes) else { fail(bytes) }
        return unsafe block
    }

    static func free(_ block: UnsafeMutableRawPointer, bytes: Int) {
        #if os(Linux)
            if bytes >= large {
                unsafe munmap(block, mappedSize(bytes))
                return
            }
        #endif
        unsafe CLibrary.free(block)
    }

    #if os(Linux)
        private static func map(
            _ old: UnsafeMutableRawPointer?, from oldBytes: Int, to bytes: Int
        ) -> UnsafeMutableRawPointer {
            let block =
                if oldBytes >= large {
                    unsafe covey_grow_mapping(old, mappedSize(oldBytes), mappedSize(bytes))
                } else {
                    unsafe mmap(
                        nil, mappedSize(bytes), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                }
            guard let block = unsafe block, unsafe block != MAP_FAILED else { fail(bytes) }
            unsafe LargePages.advise(block, bytes: mappedSize(bytes))
            return unsafe block
        }
    #endif

    private static func fail(_ bytes: Int) -> Never {
        fatalError("out of memory: a column of \(bytes) bytes does not fit")
    }
}
