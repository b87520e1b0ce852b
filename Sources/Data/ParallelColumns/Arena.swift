import Points
import Synchronization

/// Memory for the shared columns of consecutive stages.
///
/// Columns are placed one after another, and a stage's memory is released by going back to where
/// the stage began. So each stage writes to pages that the one before has paged in: faulting in new
/// ones took a seventh of all time. A column retains its block, so one that outlives its stage or
/// its arena may read what others have written there since, but never unowned memory.
public final class Arena: Sendable {
    private struct Contents: Sendable {
        /// Uses no memory until something is written.
        var region: MemoryBlock?
        var used = 0
        /// The greatest use since the last trim.
        var most = 0
        /// Blocks for what does not fit into the region.
        var blocks: [MemoryBlock] = []
    }
    private let contents = Mutex(Contents())

    /// The fill level of an arena.
    public struct Mark: Sendable {
        fileprivate var used = 0
        fileprivate var blocks = 0
    }

    /// Columns start at cache lines.
    package static let alignment = 64

    public init() {}

    /// Makes an arena for an expected number of bytes at once; it may hold more.
    public init(expecting byteCount: Int) {
        guard byteCount >= MemoryBlock.leastMapping else { return }
        let region = MemoryBlock(byteCount: MemoryBlock.wholePages(byteCount))
        contents.withLock { $0.region = region }
    }

    /// Allocates memory: a block and the offset in it.
    func allocate(byteCount: Int) -> (block: MemoryBlock, offset: Int) {
        let size = (max(byteCount, 1) + Self.alignment - 1) & ~(Self.alignment - 1)
        return contents.withLock { contents in
            if let region = contents.region, size <= region.byteCount - contents.used {
                defer {
                    contents.used += size
                    contents.most = max(contents.most, contents.used)
                }
                return (region, contents.used)
            }
            let block = MemoryBlock(byteCount: size + Self.alignment)
            contents.blocks.append(block)
            return (block, unsafe -Int(bitPattern: block.start) & (Self.alignment - 1))
        }
    }

    public var mark: Mark {
        contents.withLock { Mark(used: $0.used, blocks: $0.blocks.count) }
    }

    /// Releases everything allocated since the mark.
    public func release(to mark: Mark) {
        contents.withLock { contents in
            contents.used = mark.used
            contents.blocks.removeSubrange(mark.blocks...)
        }
    }

    /// Returns to the system the pages that were not used since the last trim.
    public func trim() {
        contents.withLock { contents in
            contents.region?.discard(from: contents.most)
            contents.most = contents.used
        }
    }

    /// Releases everything; keeps only the pages for `byteCount` bytes.
    public func reset(expecting byteCount: Int = 0) {
        release(to: Mark())
        contents.withLock { $0.region?.discard(from: byteCount) }
    }
}
