import SQLite
import Synchronization

/// How much work a statement may make of an answer: the views of a stranger's archive may recurse
/// without end.
final class StepBudget: Sendable {
    private let spent = Atomic(0)
    private let limit: Int

    /// One row may take this many steps of SQLite's machine, some seconds: enough to look through
    /// some ten million rows that have no index.
    static let steps = 1 << 28
    private static let stride = 1 << 20

    init(steps: Int = StepBudget.steps) { limit = steps / Self.stride }

    /// Begins anew, for the next answer.
    func renew() { spent.store(0, ordering: .relaxed) }

    /// Ends the statements of `database` that spend more.
    func bind(_ database: inout Database) {
        database.watchProgress(everySteps: Int32(Self.stride)) { [self] in
            spent.wrappingAdd(1, ordering: .relaxed).newValue < limit
        }
    }
}
