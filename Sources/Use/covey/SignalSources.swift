import CLibrary
import Dispatch
import Pipelines
import Synchronization

/// Signals that are handled on a queue instead of ending the program.
enum SignalSources {
    private struct Listener: Sendable {
        let queue: DispatchQueue
        let action: @Sendable (Int32) -> Void
    }
    /// The listener of each signal, which has a source.
    private static let listeners = Mutex<[Int32: Listener]>([:])

    /// Whether the program ignores a signal because its parent did.
    static func isIgnored(_ number: Int32) -> Bool {
        if listeners.withLock({ $0[number] != nil }) { return false }
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        let handler = unsafe action.__sigaction_handler.sa_handler
        return unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Calls `action` on `queue` whenever one of `signals` comes, instead of the action before.
    ///
    /// Returns when the signals are handled: another thread registers a source with the system, and
    /// an earlier signal would be lost.
    static func hear(
        _ signals: [Int32], on queue: DispatchQueue, _ action: @escaping @Sendable (Int32) -> Void
    ) throws(WorkerThread.NoneLeft) {
        // A dispatch queue waits for ever for a thread that the system does not give.
        try WorkerThread.requireSome()
        for number in signals {
            let isNew = listeners.withLock {
                $0.updateValue(Listener(queue: queue, action: action), forKey: number) == nil
            }
            if isNew { watch(number) }
        }
    }

    private static func watch(_ number: Int32) {
        // The default action would end the program before the source is called.
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number)
        // The handler retains the source, so that it works until the program ends.
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
