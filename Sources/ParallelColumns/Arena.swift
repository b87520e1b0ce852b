import Points
import Synchronization

/// Memory for the shared columns of one stage, freed when the stage lets go of it.
@safe
public final class Arena: Sendable {
    @safe
    private struct Contents: @unchecked Sendable {
        var blocks: [UnsafeMutableRawPointer] = unsafe []
        var columns: [any Sendable] = []
    }
    private let contents = Mutex(Contents())

    public init() {}

    func allocate<Element>(_ type: Element.Type, count: Int) -> UnsafeMutablePointer<Element> {
        let block = UnsafeMutableRawPointer.allocate(
            byteCount: max(count, 1) * MemoryLayout<Element>.stride, alignment: 64)
        contents.withLock { unsafe $0.blocks.append(block) }
        return unsafe block.assumingMemoryBound(to: Element.self)
    }

    /// Keeps a column alive whose memory somebody looks at.
    func keep<Element>(_ column: Column<Element>) {
        contents.withLock { $0.columns.append(column) }
    }

    /// Calls `body`, and lets go of the memory only when it is done.
    public static func with<Result>(_ body: (Arena) -> Result) -> Result {
        let arena = Arena()
        return withExtendedLifetime(arena) { body(arena) }
    }

    deinit {
        contents.withLock { contents in
            unsafe contents.blocks.forEach { unsafe $0.deallocate() }
        }
    }
}
