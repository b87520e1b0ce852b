import CLibrary
import Dispatch
import Platform
import Synchronization
import TileService

/// Keeps a running service up to date, and waits for the signal that ends it: SIGTERM, SIGINT. A
/// second one ends the program at once. SIGHUP and the clock have the files looked at again.
final class ServiceWatch {
    private let clock: any DispatchSourceTimer
    private let first: FirstSignal

    /// The first signal that asks for the end.
    private final class FirstSignal: Sendable {
        private let number = Mutex<Int32?>(nil)
        private let arrived = DispatchSemaphore(value: 0)

        func take(_ signal: Int32) {
            let isFirst = number.withLock { number in
                defer { number = number ?? signal }
                return number == nil
            }
            if isFirst { return _ = arrived.signal() }
            UnfinishedFiles.sweep { _ in _exit(ExitCode.interrupted.rawValue) }
        }

        /// The same, from the process that watches over this one: to that the signal may have come as
        /// well as to this one, so it does not count twice.
        func take(handedOn signal: Int32) {
            if number.withLock({ $0 == nil }) { take(signal) }
        }

        func wait() -> Int32? {
            arrived.wait()
            return number.withLock { $0 }
        }
    }

    init(_ service: TileService, journal: ServiceJournal) {
        // Files are looked at on a queue of their own: a file system that does not answer must not
        // keep a signal from being heard.
        let files = DispatchQueue(label: "covey.serve.files")
        let first = FirstSignal()
        let ends = DispatchQueue(label: "covey.serve.signals")
        SignalSources.hear([SIGINT, SIGTERM], on: ends) { first.take($0) }
        for (signal, handedOn) in ServeSupervisor.ends {
            SignalSources.hear([handedOn], on: ends) { _ in first.take(handedOn: signal) }
        }
        SignalSources.hear([SIGHUP], on: files) { _ in service.refresh() }
        clock = DispatchSource.makeTimerSource(queue: files)
        clock.schedule(deadline: .now() + 1, repeating: 1)
        clock.setEventHandler {
            service.refresh()
            journal.tell(refusedConnections: service.connections.refused)
        }
        clock.resume()
        self.first = first
    }

    /// Returns once the program is asked to end; whether by Ctrl-C. Signals are still heard.
    func waitForEnd() -> Bool {
        let signal = first.wait()
        clock.cancel()
        return signal == SIGINT
    }
}
