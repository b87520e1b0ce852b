import Synchronization

/// Counts the threads that are making an answer, and decides whether another may begin.
package final class AnswersUnderWay: Sendable {
    private let count = Atomic(0)
    private let isStopped = Atomic<Bool>(false)
    private let isAbandoned = Atomic<Bool>(false)

    package init() {}

    /// Whether an answer may be made; if so, `end` must follow.
    package func begin() -> Bool {
        // `begin` counts, then reads the flag; `stop` sets the flag, then reads the count: so at least one sees the other.
        count.wrappingAdd(1, ordering: .sequentiallyConsistent)
        guard isStopped.load(ordering: .sequentiallyConsistent) else { return true }
        end()
        return false
    }

    package func end() { count.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

    /// Lets no more answers begin, and abandons those in progress.
    /// - Returns: whether none was in progress.
    package func stop() -> Bool {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        let areOver = count.load(ordering: .sequentiallyConsistent) == 0
        isAbandoned.store(!areOver, ordering: .relaxed)
        return areOver
    }

    /// Whether answers were abandoned.
    package var areAbandoned: Bool { isAbandoned.load(ordering: .relaxed) }
}
