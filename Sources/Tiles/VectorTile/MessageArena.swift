import CProtobufC
import CLibrary

/// Memory for protobuf-c's messages: given out from blocks, bounded, taken back all at once.
@safe
package final class MessageArena {
    /// What is left of the current block. It has memory of its own, so that Swift does not check at each of
    /// protobuf-c's calls, several a feature, whether it is in use.
    @unsafe
    private struct Room {
        var next: UnsafeMutableRawPointer?
        var count = 0
        var owner: Unmanaged<MessageArena>?

        mutating func take(_ wanted: Int) -> UnsafeMutableRawPointer? {
            guard unsafe wanted >= 0 && wanted <= count else { return nil }
            let aligned = (max(wanted, 1) + 15) & ~15
            guard unsafe aligned <= count else { return nil }
            defer {
                unsafe next = next.map { unsafe $0 + aligned }
                unsafe count -= aligned
            }
            return unsafe next
        }
    }
    private let room: UnsafeMutablePointer<Room>
    private var blocks: [UnsafeMutableRawPointer] = unsafe []
    private var blockSize = 0
    private let ceiling: Int
    /// How many bytes may still be asked of the system.
    private var rest: Int
    /// Whether a request exceeded the ceiling.
    private(set) var isExhausted = false

    /// - Parameter ceiling: the most bytes that all blocks may take together.
    package init(ceiling: Int) {
        self.ceiling = ceiling
        rest = ceiling
        unsafe room = .allocate(capacity: 1)
        unsafe room.initialize(to: Room())
        unsafe room.pointee.owner = .passUnretained(self)
    }

    /// Takes back all memory for another message; keeps the largest block, unless it is very large.
    func reset() {
        let isLarge = blockSize >= Self.largestBlock
        while unsafe blocks.count > (isLarge ? 0 : 1) { unsafe free(blocks.removeFirst()) }
        if isLarge { blockSize = 0 }
        rest = ceiling - blockSize
        unsafe enter(blocks.last)
        isExhausted = false
    }

    /// Returns `count` bytes, aligned for any type, or nil past the ceiling.
    package func allocate(_ count: Int) -> UnsafeMutableRawPointer? {
        if let bytes = unsafe room.pointee.take(count) { return unsafe bytes }
        guard count >= 0, count <= rest, addBlock(toHold: (max(count, 1) + 15) & ~15) else {
            isExhausted = true
            return nil
        }
        return unsafe room.pointee.take(count)
    }

    /// Starts to give out memory from a block.
    private func enter(_ block: UnsafeMutableRawPointer?) {
        unsafe room.pointee.next = block
        unsafe room.pointee.count = blockSize
    }

    private static let largestBlock = 1 << 20

    /// Adds a block. Blocks double up to `largestBlock`, so that a small tile does not pay for a large one.
    private func addBlock(toHold count: Int) -> Bool {
        let size = max(count, min(max(blockSize * 2, 4096), Self.largestBlock))
        guard size <= rest, let block = unsafe malloc(size) else { return false }
        unsafe blocks.append(block)
        rest -= size
        blockSize = size
        unsafe enter(block)
        return true
    }

    /// The arena in the form that protobuf-c takes. It must outlive all use of the allocator.
    func makeAllocator() -> ProtobufCAllocator {
        unsafe ProtobufCAllocator(
            alloc: { data, count in
                guard let room = unsafe data?.assumingMemoryBound(to: Room.self) else { return nil }
                return unsafe room.pointee.take(count)
                    ?? room.pointee.owner?.takeUnretainedValue().allocate(count)
            },
            free: { _, _ in },
            allocator_data: room)
    }

    deinit {
        for index in unsafe blocks.indices { unsafe free(blocks[index]) }
        unsafe room.deallocate()
    }
}
