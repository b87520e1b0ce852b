import CLibrary
import Dispatch

/// Signals that are heard by a queue, and end the program no longer by themselves.
enum SignalSources {
    /// Has `action` done on `queue` whenever one of `signals` comes.
    ///
    /// Returns when they are heard: a source is made known to the system by another thread, and a
    /// signal that came before would be lost.
    static func hear(
        _ signals: [Int32], on queue: DispatchQueue, _ action: @escaping @Sendable (Int32) -> Void
    ) {
        let heard = DispatchSemaphore(value: 0)
        for number in signals {
            // The default would end the program before the source hears of it.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            // The handler holds the source, and so keeps it watching until the program ends.
            source.setEventHandler {
                action(number)
                _ = source.isCancelled
            }
            source.setRegistrationHandler { heard.signal() }
            source.resume()
        }
        for _ in signals { heard.wait() }
    }
}
