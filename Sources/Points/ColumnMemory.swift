#if os(Linux)
    import CMapping
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Blocks of memory for columns, which grow without being copied once they are large.
///
/// On Linux a large block is a mapping of its own: it grows by moving pages, whatever the allocator
/// would do, and its pages are of 2 MiB where the kernel has some, which saves most of the time
/// that filling fresh memory takes.
enum ColumnMemory {
    /// From this size on a block is a mapping.
    private static let large = 4 << 20
    private static let page = 2 << 20

    /// A mapping is of whole large pages: one in part would be filled with small ones.
    private static func mappedSize(_ bytes: Int) -> Int { (bytes + page - 1) & ~(page - 1) }

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
        #if canImport(Glibc)
            unsafe Glibc.free(block)
        #elseif canImport(Musl)
            unsafe Musl.free(block)
        #elseif canImport(Darwin)
            unsafe Darwin.free(block)
        #endif
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
            // Only advice: where the kernel doesn't take it, pages are small.
            _ = unsafe madvise(block, mappedSize(bytes), MADV_HUGEPAGE)
            return unsafe block
        }
    #endif

    private static func fail(_ bytes: Int) -> Never {
        fatalError("out of memory: a column of \(bytes) bytes does not fit")
    }
}
