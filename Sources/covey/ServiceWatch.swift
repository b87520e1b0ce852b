import Dispatch
import TileService
import CLibrary

/// Keeps a running service up to date, and waits for the signal that ends it: SIGTERM, SIGINT.
/// SIGHUP and the clock have the files looked at again.
final class ServiceWatch {
    private let sources: [any DispatchSourceProtocol]
    private let ended: DispatchSemaphore
    private let interrupted: any DispatchSourceSignal

    init(_ service: TileService) {
        let ended = DispatchSemaphore(value: 0)
        let queue = DispatchQueue(label: "covey.serve")
        func onSignal(
            _ number: Int32, _ action: @escaping @Sendable () -> Void
        ) -> any DispatchSourceSignal {
            // The default would end the program before the source hears of it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler(handler: action)
            source.resume()
            return source
        }
        let clock = DispatchSource.makeTimerSource(queue: queue)
        clock.schedule(deadline: .now() + 1, repeating: 1)
        clock.setEventHandler { service.refresh() }
        clock.resume()
        interrupted = onSignal(SIGINT) { ended.signal() }
        sources = [
            clock, onSignal(SIGTERM) { ended.signal() }, onSignal(SIGHUP) { service.refresh() },
        ]
        self.ended = ended
    }

    /// Returns once the program is asked to end; whether by Ctrl-C.
    func waitForEnd() -> Bool {
        ended.wait()
        for source in sources { source.cancel() }
        return interrupted.data > 0
    }
}
