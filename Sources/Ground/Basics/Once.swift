import Synchronization

/// A value that is made when it is first asked for. Threads that ask at the same time may each make
/// it; the first result is kept.
package final class Once<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    package func get<Failure: Error>(_ make: () throws(Failure) -> Value) throws(Failure) -> Value {
        if let kept = value.withLock({ $0 }) { return kept }
        let made = try make()
        return value.withLock { value in
            let kept = value ?? made
            value = kept
            return kept
        }
    }
}
