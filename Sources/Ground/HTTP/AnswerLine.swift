import Dispatch
import Synchronization

/// Answers that take long wait here for threads of their own, in the order in which they came, so that
/// libmicrohttpd's threads are free for the others.
package final class AnswerLine: Sendable {
    package typealias Work = @Sendable () -> Void

    private struct State {
        /// The threads that have nothing to do. A serial queue has a thread that no pool keeps it from.
        var idle: [DispatchQueue]
        var waiting: [Work] = []
        /// The most work that waits.
        var room: Int
    }

    private let state: Mutex<State>
    private let begun = DispatchGroup()

    package init(threads: Int, room: Int) {
        let idle = (0..<threads).map { DispatchQueue(label: "covey.answers.\($0)") }
        state = Mutex(State(idle: idle, room: room))
    }

    /// Adds work at the end.
    /// - Returns: false if too much waits; then it is not done.
    package func add(_ work: @escaping Work) -> Bool {
        state.withLock { state in
            guard state.waiting.count < state.room else { return false }
            state.waiting.append(work)
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
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.idle.append(thread)
            return nil
        }
    }

    /// Takes no more work, and waits until all is done.
    package func finish() {
        state.withLock { $0.room = 0 }
        begun.wait()
    }
}
