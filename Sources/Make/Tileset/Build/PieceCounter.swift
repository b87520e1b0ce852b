import Synchronization

/// Cuts the range 0 ..< total into pieces that workers take one at a time.
final class PieceCounter: Sendable {
    private let total: Int
    private let size: Int
    private let taken = Mutex(0)

    init(total: Int, size: Int) {
        self.total = total
        self.size = size
    }

    func next() -> Range<Int>? {
        taken.withLock { taken in
            guard taken < total else { return nil }
            let start = taken
            taken = min(taken + size, total)
            return start..<taken
        }
    }
}
