import Dispatch
import Synchronization
import CLibrary

/// Ctrl-C and its like: the first asks for a clean stop, the second ends the program at once.
final class Interruption: Sendable {
    private let requested = Atomic<Bool>(false)

    init() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(
                signal: number, queue: DispatchQueue(label: "covey.signals"))
            // The handler holds the source, and so keeps it watching until the program ends.
            source.setEventHandler { [self] in
                let wasRequested = requested.exchange(true, ordering: .relaxed)
                if wasRequested { exit(ExitCode.interrupted.rawValue) }
                _ = source.isCancelled
            }
            source.resume()
        }
    }

    var isRequested: Bool { requested.load(ordering: .relaxed) }
}

/// The end of work that somebody stopped.
struct Interrupted: Error, CustomStringConvertible {
    var description: String { "stopped; nothing was written" }
}
