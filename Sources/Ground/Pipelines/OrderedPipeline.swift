import Dispatch
import Synchronization

/// Works on jobs in several threads and hands the results over in the order of the jobs.
///
///     try OrderedPipeline(threads: 4).run(
///         next: { batches.next() }, state: { TileEncoder() },
///         work: { encoder, batch in encoder.encode(batch) },
///         consume: { tiles in try archive.write(tiles) })
///
/// Jobs are taken one at a time, so `next` may keep state. At most `inFlight` results wait at any
/// moment: that bounds the memory when the consumer is slow.
///
/// For short stages over columns in memory there is `WorkerPool` in ParallelColumns, which says why
/// both stand.
public struct OrderedPipeline: Sendable {
    let threads: Int
    let inFlight: Int

    public init(threads: Int, inFlight: Int? = nil) {
        self.threads = max(1, threads)
        self.inFlight = max(1, inFlight ?? 4 * self.threads)
    }

    /// Returns when every result was consumed, or throws the error of the earliest job that failed.
    public func run<Job: Sendable, State, Output: Sendable>(
        next: @escaping @Sendable () throws -> Job?,
        state: @escaping @Sendable () -> State,
        work: @escaping @Sendable (inout State, Job) throws -> Output,
        consume: (Output) throws -> Void
    ) throws {
        let buffer = ReorderBuffer<Output>(slots: inFlight)
        let group = DispatchGroup()
        let queue = DispatchQueue(label: "covey.workers", attributes: .concurrent)
        for _ in 0..<threads {
            queue.async(group: group) {
                var state = state()
                while let (slot, job) = buffer.take(next) {
                    buffer.deliver(Result { try work(&state, job.get()) }, at: slot)
                }
            }
        }
        defer {
            buffer.stop()
            group.wait()
        }
        while let output = try buffer.await() { try consume(output) }
    }
}

/// The slots between the workers and the consumer: a ring that is filled in any order and
/// emptied in order.
private final class ReorderBuffer<Output: Sendable>: Sendable {
    private struct State {
        var taken = 0
        var isExhausted = false
        var isStopped = false
        var outputs: [Result<Output, any Error>?]
    }
    private let state: Mutex<State>
    /// How many slots are free.
    private let free: DispatchSemaphore
    /// Signalled for each slot once its output is there, or once it is known that none will come.
    private let filled: [DispatchSemaphore]
    private let consumed = Mutex(0)

    init(slots: Int) {
        state = Mutex(State(outputs: Array(repeating: nil, count: slots)))
        // Starts at zero because a semaphore must not end below the value it started with.
        free = DispatchSemaphore(value: 0)
        for _ in 0..<slots { free.signal() }
        filled = (0..<slots).map { _ in DispatchSemaphore(value: 0) }
    }

    /// A job and the slot of its output; nil when there is no more to do.
    func take<Job>(_ next: () throws -> Job?) -> (slot: Int, job: Result<Job, any Error>)? {
        free.wait()
        return state.withLock { state in
            guard !state.isStopped, !state.isExhausted else {
                free.signal()
                return nil
            }
            let slot = state.taken % filled.count
            let job = Result { try next() }
            if case .success(nil) = job {
                state.isExhausted = true
                filled[slot].signal()
                free.signal()
                return nil
            }
            state.taken += 1
            return (slot, job.map { $0! })
        }
    }

    func deliver(_ output: Result<Output, any Error>, at slot: Int) {
        state.withLock { $0.outputs[slot] = output }
        filled[slot].signal()
    }

    /// The next output in order; nil behind the last.
    func await() throws -> Output? {
        let slot = consumed.withLock { consumed in
            defer { consumed += 1 }
            return consumed % filled.count
        }
        filled[slot].wait()
        let output = state.withLock { state in
            defer { state.outputs[slot] = nil }
            return state.outputs[slot]
        }
        free.signal()
        return try output?.get()
    }

    /// Makes the workers end after their present jobs.
    func stop() {
        state.withLock { $0.isStopped = true }
        free.signal()
    }
}
