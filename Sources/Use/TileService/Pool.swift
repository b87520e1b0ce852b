import Synchronization

/// A pool of items that only one thread at a time may use. A new item is made when all others are in use.
final class Pool<Item: ~Copyable & Sendable>: Sendable {
    /// An item that is either idle in the pool or lent to one thread, never shared.
    private final class Loan: @unchecked Sendable {
        var item: Item

        init(_ item: consuming Item) { self.item = item }
    }

    private let idle = Mutex<[Loan]>([])

    /// Lends an item.
    /// - Parameter isHarmless: whether an item can be lent again after an error.
    func withItem<R, Failure: Error>(
        make: () throws(Failure) -> Item, isHarmless: (Failure) -> Bool,
        _ use: (inout Item) throws(Failure) -> R
    ) throws(Failure) -> R {
        let kept = idle.withLock { $0.popLast() }
        let loan = if let kept { kept } else { Loan(try make()) }
        do throws(Failure) {
            let result = try use(&loan.item)
            idle.withLock { $0.append(loan) }
            return result
        } catch {
            if isHarmless(error) { idle.withLock { $0.append(loan) } }
            throw error
        }
    }
}
