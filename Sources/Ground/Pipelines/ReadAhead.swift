import Dispatch
import Synchronization

/// Makes the values of a sequence one ahead of their use, on its own thread.
public final class ReadAhead<Element: Sendable>: Sendable {
    private let make: @Sendable (Int) -> Element?
    private let state = Mutex<(index: Int, value: Element?)>((0, nil))
    private let ready = DispatchSemaphore(value: 0)
    private let queue = DispatchQueue(label: "covey.read-ahead")

    /// - Parameter make: returns the value with this number, or nil after the last.
    public init(_ make: @escaping @Sendable (Int) -> Element?) {
        self.make = make
        start()
    }

    /// The next value, or nil after the last. Two threads must not call it at once.
    public func next() -> Element? {
        ready.wait()
        let value = state.withLock { state in
            defer { state.value = nil }
            return state.value
        }
        if value == nil { ready.signal() } else { start() }
        return value
    }

    private func start() {
        queue.async { [self] in
            let index = state.withLock { state in
                defer { state.index += 1 }
                return state.index
            }
            let value = make(index)
            state.withLock { $0.value = value }
            ready.signal()
        }
    }
}
