import Points
import Synchronization

/// Memory for the shared columns of stages that follow one another.
///
/// Columns lie one behind the other, and what a stage took is given back by going back to where
/// it began. So each stage writes to pages that the one before it has brought in: to have the
/// system bring in fresh ones was a seventh of all time.
@safe
public final class Arena: Sendable {
    @safe
    private struct Contents: @unchecked Sendable {
        /// Takes no memory where nobody has written yet.
        var region: PageRegion?
        var used = 0
        /// How far it has been used since it was last trimmed.
        var most = 0
        /// What does not fit into the region.
        var blocks: [UnsafeMutableRawPointer] = unsafe []
        var columns: [any Sendable] = []
    }
    private let contents = Mutex(Contents())

    /// How full an arena was.
    public struct Mark {
        fileprivate var used = 0
        fileprivate var blocks = 0
        fileprivate var columns = 0
    }

    /// Columns start at cache lines.
    package static let alignment = 64

    public init() {}

    /// An arena that is expected to hold that many bytes at once; it may well hold more.
    public init(expecting byteCount: Int) {
        guard byteCount >= PageRegion.leastSize else { return }
        contents.withLock { $0.region = PageRegion(byteCount) }
    }

    package func allocate<Element>(
        _ type: Element.Type, count: Int
    ) -> UnsafeMutablePointer<Element> {
        let bytes = max(count, 1) * MemoryLayout<Element>.stride
        let size = (bytes + Self.alignment - 1) & ~(Self.alignment - 1)
        let block = contents.withLock { contents in
            if let region = contents.region, size <= region.byteCount - contents.used {
                defer {
                    contents.used += size
                    contents.most = max(contents.most, contents.used)
                }
                return unsafe Sendability(region.start + contents.used)
            }
            let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: Self.alignment)
            unsafe contents.blocks.append(block)
            return unsafe Sendability(block)
        }
        return unsafe block.pointer.assumingMemoryBound(to: Element.self)
    }

    @safe
    private struct Sendability: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
        init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }
    }

    /// Keeps a column alive whose memory somebody looks at.
    func keep<Element>(_ column: Column<Element>) {
        contents.withLock { $0.columns.append(column) }
    }

    public var mark: Mark {
        contents.withLock {
            Mark(used: $0.used, blocks: unsafe $0.blocks.count, columns: $0.columns.count)
        }
    }

    /// Gives back what was allocated since.
    public func release(to mark: Mark) {
        contents.withLock { contents in
            contents.used = mark.used
            unsafe contents.blocks[mark.blocks...].forEach { unsafe $0.deallocate() }
            unsafe contents.blocks.removeSubrange(mark.blocks...)
            contents.columns.removeSubrange(mark.columns...)
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

    deinit { reset() }
}
