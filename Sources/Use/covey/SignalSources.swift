import CLibrary
import Dispatch
import Synchronization

/// Signals that are heard by a queue, and end the program no longer by themselves.
enum SignalSources {
    private struct Listener: Sendable {
        let queue: DispatchQueue
        let action: @Sendable (Int32) -> Void
    }
    /// Who hears each signal; there is a source for each.
    private static let listeners = Mutex<[Int32: Listener]>([:])

    /// Has `action` done on `queue` whenever one of `signals` comes, instead of what was done before.
    ///
    /// Returns when they are heard: a source is made known to the system by another thread, and a
    /// signal that came before would be lost.
    static func hear(
        _ signals: [Int32], on queue: DispatchQueue, _ action: @escaping @Sendable (Int32) -> Void
    ) {
        for number in signals {
            let isNew = listeners.withLock {
                $0.updateValue(Listener(queue: queue, action: action), forKey: number) == nil
            }
            if isNew { watch(number) }
        }
    }

    private static func watch(_ number: Int32) {
        // The default would end the program before the source hears of it.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        // The handler holds the source, and so keeps it watching until the program ends.
        source.setEventHandler {
            if let listener = listeners.withLock({ $0[number] }) {
                listener.queue.async { listener.action(number) }
            }
            _ = source.isCancelled
        }
        let heard = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { heard.signal() }
        source.resume()
        heard.wait()
    }
}
