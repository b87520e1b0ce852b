import CLibrary
import Dispatch
import Platform
import Synchronization

/// Handles Ctrl-C and similar signals: the first asks for a clean stop and makes sure that it comes
/// soon, the second ends the program at once. Either way, no unfinished file is left.
final class Interruption: Sendable {
    private enum State: Equatable {
        case none, over
        case requested(by: Int32)
    }

    /// How long the work may take to stop. Some work cannot stop at once: it waits for a disk or a
    /// server, or is in the middle of a sort.
    private static let patience = DispatchTimeInterval.milliseconds(600)

    /// The signal that came too late to stop some work; 0 if none did.
    private static let lateSignal = Atomic<Int32>(0)

    private let state = Mutex(State.none)
    private let console: Console
    private let queue = DispatchQueue(label: "covey.signals")

    private init(console: Console) throws {
        self.console = console
        // What the parent has it ignore stays ignored, as `nohup` and shells mean it for work in the background.
        let ends = [SIGINT, SIGTERM, SIGHUP].filter { !SignalSources.isIgnored($0) }
        try SignalSources.hear(ends, on: queue) { [self] in handle($0) }
        // A server's worker is told to end by signals of its own.
        for (signal, handedOn) in ServeSupervisor.ends {
            try SignalSources.hear([handedOn], on: queue) { [self] _ in handle(signal) }
        }
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
            guard let signal = interruption.signal else { throw error }
            interruption.end()
            throw Interrupted(by: signal)
        }
    }

    /// Throws if a signal came while work was about to be complete: it meant what follows as well.
    static func goOn() throws(Interrupted) {
        let signal = lateSignal.load(ordering: .relaxed)
        if signal != 0 { throw Interrupted(by: signal, isLate: true) }
    }

    var isRequested: Bool { signal != nil }

    /// The signal that asks for a stop.
    private var signal: Int32? {
        guard case .requested(let signal) = state.withLock({ $0 }) else { return nil }
        return signal
    }

    /// Notes that there is nothing left to stop, as the result is complete. From here on signals
    /// end the program at once.
    private func end() {
        let before = state.withLock { state in
            defer { state = .over }
            return state
        }
        if case .requested(let signal) = before {
            Self.lateSignal.store(signal, ordering: .relaxed)
        }
    }

    private func handle(_ signal: Int32) {
        let isFirst = state.withLock { state in
            guard state == .none else { return false }
            state = .requested(by: signal)
            return true
        }
        guard isFirst else { return stop(by: signal) }
        queue.asyncAfter(deadline: .now() + Self.patience) { [self] in
            if isRequested { stop(by: signal) }
        }
    }

    private func stop(by signal: Int32) {
        UnfinishedFiles.sweep { isAnyPublished in
            if console.isInteractive { console.sayInPlace("") }
            let end = Interrupted(by: signal, isLate: isAnyPublished)
            console.complain(end.description)
            // Exits without clean-up of what other threads are still using.
            RunningPrograms.endAll { _exit(end.exitCode.rawValue) }
        }
    }
}

/// The error of work that was interrupted.
struct Interrupted: Error, CustomStringConvertible {
    let signal: Int32
    /// Whether the work was complete already.
    let isLate: Bool

    init(by signal: Int32, isLate: Bool = false) { (self.signal, self.isLate) = (signal, isLate) }

    var exitCode: ExitCode { .stopped(by: signal) }
    var description: String { isLate ? "stopped" : "stopped; nothing was written" }
}
