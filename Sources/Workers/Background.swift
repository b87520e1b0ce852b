import Dispatch
import Synchronization

/// A value that is made on a thread of its own while others work, and fetched when it is needed.
public final class Background<Value: Sendable>: Sendable {
    private let made = Mutex<Result<Value, any Error>?>(nil)
    private let work = DispatchGroup()

    public init(_ make: @escaping @Sendable () throws -> Value) {
        DispatchQueue.global().async(group: work) { self.finish(Result(catching: make)) }
    }

    private func finish(_ result: Result<Value, any Error>) { made.withLock { $0 = result } }

    /// Waits for the value.
    public func value() throws -> Value {
        work.wait()
        guard let result = made.withLock({ $0 }) else {
            preconditionFailure("the work ended without a result")
        }
        return try result.get()
    }
}
