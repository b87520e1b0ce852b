import Points
import Synchronization

/// Memory for the shared columns of stages that follow one another.
///
/// Columns lie one behind the other, and what a stage took is given back by going back to where
/// it began. So each stage writes to pages that the one before it has paged in: to have the
/// system bring in fresh ones was a seventh of all time. A column keeps the block in which it lies,
/// so one that outlives its stage, or its arena, finds what others have written there since, and never
/// memory that has no owner.
public final class Arena: Sendable {
    private struct Contents: Sendable {
        /// Takes no memory where nothing has been written yet.
        var region: MemoryBlock?
        var used = 0
        /// How far it has been used since it was last trimmed.
        var most = 0
        /// What does not fit into the region.
        var blocks: [MemoryBlock] = []
    }
    private let contents = Mutex(Contents())

    /// How full an arena was.
    public struct Mark: Sendable {
        fileprivate var used = 0
        fileprivate var blocks = 0
    }

    /// Columns start at cache lines.
    package static let alignment = 64

    public init() {}

    /// An arena that is expected to hold that many bytes at once; it may well hold more.
    public init(expecting byteCount: Int) {
        guard byteCount >= MemoryBlock.leastMapping else { return }
        let region = MemoryBlock(byteCount: MemoryBlock.wholePages(byteCount))
        contents.withLock { $0.region = region }
    }

    /// Room for that many bytes: a block, and where in it the room begins.
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

    /// Gives back what was allocated since.
    public func release(to mark: Mark) {
        contents.withLock { contents in
            contents.used = mark.used
            contents.blocks.removeSubrange(mark.blocks...)
        }
    }

    /// Gives pages back to the system that were not used since the last time.
    public func trim() {
        contents.withLock { contents in
            contents.region?.discard(from: contents.most)
            contents.most = contents.used
        }
    }

    /// Gives everything back; keeps only as many pages as `byteCount` will take.
    public func reset(expecting byteCount: Int = 0) {
        release(to: Mark())
        contents.withLock { $0.region?.discard(from: byteCount) }
    }
}
