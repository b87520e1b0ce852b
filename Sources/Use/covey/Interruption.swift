import CLibrary
import Dispatch
import Platform
import Synchronization

/// Handles Ctrl-C and similar signals: the first asks for a clean stop and makes sure that it comes
/// soon, the second ends the program at once. Either way, no unfinished file is left.
final class Interruption: Sendable {
    private enum State { case none, requested, over }

    /// How long the work may take to stop. Some work cannot stop at once: it waits for a disk or a
    /// server, or is in the middle of a sort.
    private static let patience = DispatchTimeInterval.milliseconds(600)

    /// Whether a signal came too late to stop some work.
    private static let cameLate = Atomic(false)

    private let state = Mutex(State.none)
    private let console: Console
    private let queue = DispatchQueue(label: "covey.signals")

    /// As `nohup` has it: work goes on when the terminal is closed.
    private static let outlivesTerminal = SignalSources.isIgnored(SIGHUP)

    private init(console: Console) throws {
        self.console = console
        // A server's worker is told to end by signals of its own.
        let ends =
            [SIGINT, SIGTERM] + (Self.outlivesTerminal ? [] : [SIGHUP])
            + ServeSupervisor.ends.values
        try SignalSources.hear(ends, on: queue) { [self] _ in handle() }
    }

    /// Does work that stops when it is interrupted; nothing is left to stop once it is done. Callers that do more than that
    /// work call `goOn` behind it.
    /// - Parameter clean: is called at the end, whatever it is, before that is reported.
    static func stopping<Result>(
        _ console: Console, clean: () -> Void, _ work: (Interruption) throws -> Result
    ) throws -> Result {
        let interruption = try Interruption(console: console)
        do {
            let result = try work(interruption)
            interruption.end()
            clean()
            return result
        } catch {
            clean()
            guard interruption.isRequested else { throw error }
            interruption.end()
            throw Interrupted()
        }
    }

    /// Throws if a signal came while work was about to be complete: it meant what follows as well.
    static func goOn() throws(Interrupted) {
        if cameLate.load(ordering: .relaxed) { throw Interrupted(isLate: true) }
    }

    var isRequested: Bool { state.withLock { $0 == .requested } }

    /// Notes that there is nothing left to stop, as the result is complete. From here on signals
    /// end the program at once.
    private func end() {
        let wasRequested = state.withLock { state in
            defer { state = .over }
            return state == .requested
        }
        if wasRequested { Self.cameLate.store(true, ordering: .relaxed) }
    }

    private func handle() {
        let isFirst = state.withLock { state in
            guard state == .none else { return false }
            state = .requested
            return true
        }
        guard isFirst else { return stop() }
        queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
            if isRequested { stop() }
        }
    }

    private func stop() {
        UnfinishedFiles.sweep { isAnyPublished in
            if console.isInteractive { console.sayInPlace("") }
            console.complain(isAnyPublished ? "stopped" : Interrupted().description)
            // Exits without clean-up of what other threads are still using.
            RunningPrograms.endAll { _exit(ExitCode.interrupted.rawValue) }
        }
    }
}

/// The error of work that was interrupted.
struct Interrupted: Error, CustomStringConvertible {
    /// Whether the work was complete already.
    var isLate = false

    var description: String { isLate ? "stopped" : "stopped; nothing was written" }
}
