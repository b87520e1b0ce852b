import Synchronization

/// A few threads that share independent pieces of work.
///
/// Results must not depend on how the work is divided or on which thread does which piece.
public struct Workers: Sendable {
    public let count: Int
    /// Memory for columns that are needed only within a stage.
    public let scratch: Arena
    private let pool: WorkerPool

    public init(_ count: Int, scratch: Arena) {
        self.count = max(1, count)
        self.scratch = scratch
        pool = WorkerPool(threads: self.count - 1)
    }

    /// Calls `body` with workers whose scratch memory is expected to be at most this large.
    public static func with<Result>(
        _ count: Int, expecting byteCount: Int, _ body: (Workers) throws -> Result
    ) rethrows -> Result {
        try body(Workers(count, scratch: Arena(expecting: byteCount)))
    }

    /// Calls `body`, then releases the scratch memory that it allocated.
    public func stage<Result>(_ body: (Workers) -> Result) -> Result {
        let mark = scratch.mark
        defer { scratch.release(to: mark) }
        return body(self)
    }

    /// Calls `body` once with each number below `pieces`, in any order, and waits for all.
    public func forEach(_ pieces: Int, _ body: @Sendable (Int) -> Void) {
        guard count > 1, pieces > 1 else {
            for piece in 0..<pieces { body(piece) }
            return
        }
        pool.forEach(pieces, body)
    }

    /// Calls `body` with each range that `cut` divides 0 ..< `total` into, in any order, and waits for all.
    @inlinable
    package func forEachRange(
        of total: Int, eachAtLeast minimum: Int = 8_192, _ body: @Sendable (Range<Int>) -> Void
    ) {
        let ranges = cut(total, eachAtLeast: minimum)
        forEach(ranges.count) { body(ranges[$0]) }
    }

    /// Calls `body` with each piece, in any order; returns the results in the order of the pieces.
    public func map<Piece: Sendable, Result: Sendable>(
        _ pieces: [Piece], _ body: @Sendable (Piece) -> Result
    ) -> [Result] {
        guard count > 1, pieces.count > 1 else { return pieces.map(body) }
        let results = Mutex<[Result?]>(Array(repeating: nil, count: pieces.count))
        pool.forEach(pieces.count) { index in
            let result = body(pieces[index])
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0.compactMap { $0 } }
    }

    /// Divides 0 ..< `total` into equal ranges, at least one for each worker, but none so small
    /// that waking a thread for it costs more than the work.
    public func cut(_ total: Int, eachAtLeast minimum: Int = 8_192) -> [Range<Int>] {
        let pieces = count == 1 ? 1 : max(1, min(4 * count, total / minimum))
        return (0..<pieces).map { total * $0 / pieces..<total * ($0 + 1) / pieces }
    }
}

extension [Range<Int>] {
    /// The same ranges, which follow one another, with their ends moved on so that none lies between items
    /// that belong together.
    /// - Parameter joins: whether an item belongs to the one before it.
    package func aligned(_ joins: (Int) -> Bool) -> [Range<Int>] {
        var start = 0
        return map { range in
            var end = Swift.max(start, range.upperBound)
            while end > start, end < self[count - 1].upperBound, joins(end) { end += 1 }
            defer { start = end }
            return start..<end
        }
    }
}
