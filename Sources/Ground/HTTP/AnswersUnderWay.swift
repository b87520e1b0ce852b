import Synchronization

/// How many threads are making an answer now, and whether another may begin to.
package final class AnswersUnderWay: Sendable {
    private let count = Atomic(0)
    private let isStopped = Atomic<Bool>(false)
    private let isAbandoned = Atomic<Bool>(false)

    package init() {}

    /// Whether an answer may be made; if so, `end` must follow.
    package func begin() -> Bool {
        // Who counts first and looks afterwards is seen by who stops first and counts afterwards.
        count.wrappingAdd(1, ordering: .sequentiallyConsistent)
        guard isStopped.load(ordering: .sequentiallyConsistent) else { return true }
        end()
        return false
    }

    package func end() { count.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

    /// Lets no more answers begin, and gives up on those under way.
    /// - Returns: whether there were none.
    package func stop() -> Bool {
        isStopped.store(true, ordering: .sequentiallyConsistent)
        let areOver = count.load(ordering: .sequentiallyConsistent) == 0
        isAbandoned.store(!areOver, ordering: .relaxed)
        return areOver
    }

    /// Whether some were given up.
    package var areAbandoned: Bool { isAbandoned.load(ordering: .relaxed) }
}
