/// A box in which a noncopyable value can be the state of a worker.
public final class WorkerState<Value: ~Copyable> {
    public var value: Value

    public init(_ value: consuming Value) { self.value = value }
}
