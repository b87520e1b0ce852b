import Dispatch
import Synchronization

/// Hands on what workers finish side by side, in the order of their tickets.
///
/// A worker that is early leaves its item to the worker whose turn it is and goes on; only one too far
/// ahead waits, so that never more than `room` items do. That is why `PieceReading` does not leave
/// it to `OrderedPipeline`, where results wait for one consumer: here each worker may be the consumer.
final class TurnOrder<Item: Sendable>: Sendable {
    private struct State {
        var turn = 0
        var waiting: [Int: Item] = [:]
        var isHandingOn = false
        /// Those who are too far ahead, by their tickets.
        var sleepers: [Int: DispatchSemaphore] = [:]

        /// The item whose turn it is, if it has come; without one, the next worker hands on.
        mutating func takeNext() -> Item? {
            let item = waiting.removeValue(forKey: turn)
            isHandingOn = item != nil
            return item
        }
    }
    private let state = Mutex(State())
    private let room: Int

    init(room: Int) { self.room = room }

    /// Hands on an item and all that waited for it, or leaves it to another worker.
    /// `handOn` runs on one thread at a time.
    func put(_ item: consuming Item, ticket: Int, _ handOn: (consuming Item) -> Void) {
        waitForRoom(ticket)
        // An item that was handed on is not kept: its memory is used again.
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
