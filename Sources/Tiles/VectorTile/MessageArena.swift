import CProtobufC
import CLibrary

/// Memory for protobuf-c's messages: handed out from blocks, bounded, given back all at once.
@safe
package final class MessageArena {
    private var blocks: [UnsafeMutableRawPointer] = unsafe []
    private var blockSize = 0
    private var used = 0
    private let ceiling: Int
    /// How many bytes may still be asked of the system.
    private var rest: Int
    /// Whether something was asked for that lies past the ceiling.
    private(set) var isExhausted = false

    /// - Parameter ceiling: the most that all blocks together take.
    package init(ceiling: Int) {
        self.ceiling = ceiling
        rest = ceiling
    }

    /// Takes all memory back for another message; the largest block stays, unless it is very large.
    func reset() {
        let isLarge = blockSize >= Self.largestBlock
        while unsafe blocks.count > (isLarge ? 0 : 1) { unsafe free(blocks.removeFirst()) }
        if isLarge { blockSize = 0 }
        rest = ceiling - blockSize
        used = 0
        isExhausted = false
    }

    /// `count` bytes, aligned for any type, or nil past the ceiling.
    package func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        let aligned = (max(count, 1) + 15) & ~15
        guard count >= 0, count <= rest + blockSize,
            blockSize - used >= aligned || addBlock(toHold: aligned)
        else {
            isExhausted = true
            return nil
        }
        defer { used += aligned }
        return unsafe blocks[blocks.count - 1] + used
    }

    private static let largestBlock = 1 << 20

    /// Blocks double up to that, so that a small tile does not pay for a large one.
    private func addBlock(toHold count: Int) -> Bool {
        let size = max(count, min(max(blockSize * 2, 4096), Self.largestBlock))
        guard size <= rest, let block = unsafe malloc(size) else { return false }
        unsafe blocks.append(block)
        rest -= size
        blockSize = size
        used = 0
        return true
    }

    /// The arena as protobuf-c wants it. It must outlive all use of the allocator.
    func makeAllocator() -> ProtobufCAllocator {
        unsafe ProtobufCAllocator(
            alloc: { arena, count in
                guard let arena = unsafe arena else { return nil }
                return unsafe Unmanaged<MessageArena>.fromOpaque(arena).takeUnretainedValue()
                    .allocate(count)
            },
            free: { _, _ in },
            allocator_data: Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        for index in unsafe blocks.indices { unsafe free(blocks[index]) }
    }
}
