import Basics
import Dispatch
import Geometry
import Synchronization

/// The `agg_tiles_hash` of an archive: MD5 over the numbers, as text, and the bytes of every tile in
/// key order.
package struct TilesHash: ~Copyable {
    private let digest = DigestBehind()
    /// Bytes that have not been handed over; a single tile is not worth a switch of threads.
    private var waiting: [UInt8] = []

    private static let handedOver = 1 << 17

    package init() {}

    package mutating func include(_ tile: TileID, _ bytes: Span<UInt8>) {
        append(UInt32(tile.z))
        append(tile.x)
        append(tile.tmsRow)
        // A large tile goes in pieces, as several of them may wait.
        for start in stride(from: 0, to: bytes.count, by: Self.handedOver) {
            let piece = bytes.extracting(start..<min(start + Self.handedOver, bytes.count))
            unsafe piece.withUnsafeBufferPointer { unsafe waiting.append(contentsOf: $0) }
            if waiting.count >= Self.handedOver { handOver() }
        }
    }

    private mutating func handOver() {
        let bytes = waiting
        waiting = []
        waiting.reserveCapacity(Self.handedOver + Self.handedOver / 4)
        digest.take(bytes)
    }

    package consuming func finish() -> String {
        handOver()
        return digest.finish()
    }

    private mutating func append(_ number: UInt32) {
        let start = waiting.count
        var rest = number
        repeat {
            waiting.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        // Reversing a slice would copy it.
        var (low, high) = (start, waiting.count - 1)
        while low < high {
            waiting.swapAt(low, high)
            (low, high) = (low + 1, high - 1)
        }
    }
}

/// A digest that is computed on a thread of its own, slightly behind. The writer of an archive has one thread for
/// all tiles, and MD5 would take a third of it.
private final class DigestBehind: Sendable {
    private let state = Mutex<MD5?>(MD5())
    private let queue = DispatchQueue(label: "covey.tiles-hash")
    /// Limits how many pieces may wait.
    private let room = DispatchSemaphore(value: 8)

    func take(_ bytes: [UInt8]) {
        room.wait()
        queue.async { [self] in
            state.withLock { $0?.update(bytes.span) }
            room.signal()
        }
    }

    func finish() -> String {
        queue.sync {
            state.withLock { digest in
                guard let digest = digest.take() else { preconditionFailure("finished twice") }
                return digest.finish()
            }
        }
    }
}
