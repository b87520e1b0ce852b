import Synchronization

/// Things that one thread at a time may use, made when all others are in use, and kept.
final class Pool<Item: ~Copyable & Sendable>: Sendable {
    /// An item that is either idle in the pool or lent to one thread: never shared.
    private final class Loan: @unchecked Sendable {
        var item: Item

        init(_ item: consuming Item) { self.item = item }
    }

    private let idle = Mutex<[Loan]>([])

    /// Lends an item; one that failed is not lent again.
    func withItem<R, Failure: Error>(
        make: () throws(Failure) -> Item, _ use: (inout Item) throws(Failure) -> R
    ) throws(Failure) -> R {
        let loan: Loan
        if let kept = idle.withLock({ $0.popLast() }) {
            loan = kept
        } else {
            loan = Loan(try make())
        }
        let result = try use(&loan.item)
        idle.withLock { $0.append(loan) }
        return result
    }
}
