import Dispatch
import Synchronization

/// Answers that take long wait here for threads of their own, so that libmicrohttpd's threads are free for the others.
///
/// Addresses take turns, so that one with many questions holds up no other. A connection waits for one answer at a time:
/// the limits of connections are those of the line.
package final class AnswerLine: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        /// The threads that have nothing to do. A serial queue has a thread that no pool keeps it from.
        var idle: [DispatchQueue]
        /// The work of each address that has some, in the order in which it came.
        var waiting: [IPAddress: [Work]] = [:]
        /// These addresses, the one whose turn it is first.
        var turns: [IPAddress] = []
        var isFinished = false
    }

    private let state: Mutex<State>
    private let begun = DispatchGroup()

    package init(threads: Int) {
        let idle = (0..<threads).map { DispatchQueue(label: "covey.answers.\($0)") }
        state = Mutex(State(idle: idle))
    }

    /// Adds work at the end.
    /// - Parameter address: the address of the client that waits for it.
    /// - Returns: false if no more is done.
    package func add(for address: IPAddress, _ work: @escaping Work) -> Bool {
        state.withLock { state in
            guard !state.isFinished else { return false }
            state.waiting[address, default: []].append(work)
            if state.waiting[address]?.count == 1 { state.turns.append(address) }
            guard let thread = state.idle.popLast() else { return true }
            thread.async(group: begun) { self.work(on: thread) }
            return true
        }
    }

    private func work(on thread: DispatchQueue) {
        while let work = next(for: thread) { work() }
    }

    private func next(for thread: DispatchQueue) -> Work? {
        state.withLock { state in
            guard !state.turns.isEmpty else {
                state.idle.append(thread)
                return nil
            }
            let address = state.turns.removeFirst()
            guard var own = state.waiting.removeValue(forKey: address) else { return nil }
            let work = own.removeFirst()
            if !own.isEmpty {
                state.waiting[address] = own
                state.turns.append(address)
            }
            return work
        }
    }

    /// Takes no more work, and waits until all is done.
    package func finish() {
        state.withLock { $0.isFinished = true }
        begun.wait()
    }
}
