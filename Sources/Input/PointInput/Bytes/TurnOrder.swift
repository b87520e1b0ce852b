import Dispatch
import Synchronization

/// Passes on the items that workers finish in parallel, in the order of their tickets.
///
/// A worker that is early leaves its item to the worker whose turn it is and continues; only one that is too
/// far ahead waits, so that at most `room` items are waiting. That is why `PieceReading` does not use
/// `OrderedPipeline`, where results wait for one consumer: here each worker may be the consumer.
final class TurnOrder<Item: Sendable>: Sendable {
    private struct State {
        var turn = 0
        var waiting: [Int: Item] = [:]
        var isHandingOn = false
        /// The workers that are too far ahead, by their tickets.
        var sleepers: [Int: DispatchSemaphore] = [:]

        /// The next item in order, if it has arrived; otherwise the next worker passes on.
        mutating func takeNext() -> Item? {
            let item = waiting.removeValue(forKey: turn)
            isHandingOn = item != nil
            return item
        }
    }
    private let state = Mutex(State())
    private let room: Int

    init(room: Int) { self.room = room }

    /// Passes on an item and all that waited for it, or leaves it to another worker.
    /// `handOn` runs on one thread at a time.
    func put(_ item: consuming Item, ticket: Int, _ handOn: (consuming Item) -> Void) {
        waitForRoom(ticket)
        // An item that was passed on is not retained, because its memory is reused.
        var own: Item? = consume item
        var next = state.withLock { state -> Item? in
            state.waiting[ticket] = own.take()
            return state.isHandingOn ? nil : state.takeNext()
        }
        while let item = next.take() {
            handOn(consume item)
            next = state.withLock { state in
                state.turn += 1
                state.sleepers.removeValue(forKey: state.turn + room - 1)?.signal()
                return state.takeNext()
            }
        }
    }

    private func waitForRoom(_ ticket: Int) {
        let semaphore = state.withLock { state -> DispatchSemaphore? in
            guard ticket >= state.turn + room else { return nil }
            let semaphore = DispatchSemaphore(value: 0)
            state.sleepers[ticket] = semaphore
            return semaphore
        }
        semaphore?.wait()
    }
}
