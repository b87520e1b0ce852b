/// Makes a value that can't be copied the state of a worker, which keeps it in place.
public final class WorkerState<Value: ~Copyable> {
    public var value: Value

    public init(_ value: consuming Value) { self.value = value }
}
