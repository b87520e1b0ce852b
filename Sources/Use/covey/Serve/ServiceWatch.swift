import CLibrary
import Dispatch
import Platform
import Synchronization
import TileService

/// Keeps a running service up to date, and waits for the signal that ends it: SIGTERM or SIGINT. A
/// second one ends the program at once. SIGHUP and a timer make it look at the files again.
final class ServiceWatch {
    private let clock: any DispatchSourceTimer
    private let first: FirstSignal

    /// The first signal that tells the program to end.
    private final class FirstSignal: Sendable {
        private struct Taken {
            var first: Int32?
            /// Whether a signal has come to this process directly, and whether the supervisor has passed one on.
            var ways: Set<Way> = []
        }

        /// The way by which a signal arrived.
        enum Way { case direct, handedOn }

        private let taken = Mutex(Taken())
        private let arrived = DispatchSemaphore(value: 0)

        /// Takes a signal. It may have come to both processes, and so arrives here in both ways, in either
        /// order: only the second one by the same way is a second signal, which ends the program at once.
        func take(_ signal: Int32, _ way: Way) {
            let (isFirst, isRepeated) = taken.withLock { taken in
                defer { taken.first = taken.first ?? signal }
                return (taken.first == nil, !taken.ways.insert(way).inserted)
            }
            if isFirst { arrived.signal() }
            if isRepeated {
                UnfinishedFiles.sweep { _ in _exit(ExitCode.stopped(by: signal).rawValue) }
            }
        }

        func wait() -> Int32? {
            arrived.wait()
            return taken.withLock { $0.first }
        }
    }

    init(_ service: TileService, journal: ServiceJournal) throws {
        // Files are looked at on a separate queue: a file system that hangs must not delay a
        // signal.
        let files = DispatchQueue(label: "covey.serve.files")
        let first = FirstSignal()
        let ends = DispatchQueue(label: "covey.serve.signals")
        try SignalSources.hear([SIGINT, SIGTERM], on: ends) { first.take($0, .direct) }
        for (signal, handedOn) in ServeSupervisor.ends {
            try SignalSources.hear([handedOn], on: ends) { _ in first.take(signal, .handedOn) }
        }
        try SignalSources.hear([SIGHUP], on: files) { _ in service.refresh() }
        clock = DispatchSource.makeTimerSource(queue: files)
        clock.schedule(deadline: .now() + 1, repeating: 1)
        clock.setEventHandler {
            service.refresh()
            service.followChanges()
            journal.tell(refusedConnections: service.connections.refused)
        }
        clock.resume()
        self.first = first
    }

    /// Returns once the program is told to end; true if by Ctrl-C. Signals are still handled.
    func waitForEnd() -> Bool {
        let signal = first.wait()
        clock.cancel()
        return signal == SIGINT
    }
}
