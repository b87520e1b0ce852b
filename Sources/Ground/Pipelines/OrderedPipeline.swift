import Dispatch
import Synchronization

/// Processes jobs in several threads and consumes the results in the order of the jobs.
///
///     try OrderedPipeline(threads: 4).run(
///         next: { batches.next() }, state: { TileEncoder() },
///         work: { encoder, batch in encoder.encode(batch) },
///         consume: { tiles in try archive.write(tiles) })
///
/// Jobs are taken one at a time, so `next` may keep state. At most `inFlight` results wait at any
/// moment: that bounds the memory when the consumer is slow. A heavy job counts as several results,
/// so the heaviest run alone, and no other is taken before they are consumed.
///
/// For short stages over columns in memory there is `WorkerPool` in ParallelColumns, which says why
/// both exist.
public struct OrderedPipeline: Sendable {
    let threads: Int
    let inFlight: Int

    public init(threads: Int, inFlight: Int? = nil) {
        self.threads = max(1, threads)
        self.inFlight = max(1, inFlight ?? 4 * self.threads)
    }

    /// Returns when every result was consumed, or throws the error of the earliest job that failed.
    /// - Parameter share: the number of results in flight for which a job counts.
    public func run<Job: Sendable, State, Output: Sendable>(
        next: @escaping @Sendable () throws -> Job?,
        share: @escaping @Sendable (Job) -> Int = { _ in 1 },
        state: @escaping @Sendable () -> State,
        work: @escaping @Sendable (inout State, Job) throws -> Output,
        consume: (Output) throws -> Void
    ) throws {
        let buffer = ReorderBuffer<Output>(slots: inFlight)
        let group = DispatchGroup()
        defer {
            buffer.stop()
            group.wait()
        }
        let started = (0..<threads).prefix { _ in
            group.enter()
            let isStarted = WorkerThread.start {
                defer { group.leave() }
                var state = state()
                while let (slot, job) = buffer.take(next, share) {
                    buffer.deliver(Result { try work(&state, job.get()) }, at: slot)
                }
            }
            if !isStarted { group.leave() }
            return isStarted
        }
        // Fewer threads still do all the work.
        if started.isEmpty { throw WorkerThread.NoneLeft() }
        while let output = try buffer.await() { try consume(output) }
    }
}

/// The slots between the workers and the consumer: a ring that is filled in any order and
/// emptied in order.
private final class ReorderBuffer<Output: Sendable>: Sendable {
    private struct Turn {
        var taken = 0
        var isExhausted = false
    }
    private struct Slot {
        var output: Result<Output, any Error>?
        /// The number of free slots that the job has taken.
        var share = 1
    }
    /// Held by the worker that takes a job. It may wait while others deliver.
    private let turn = Mutex(Turn())
    private let slots: Mutex<[Slot]>
    private let isStopped = Atomic(false)
    /// How many slots are free.
    private let free: DispatchSemaphore
    /// Signalled for each slot once its output is there, or once it is known that none will come.
    private let filled: [DispatchSemaphore]
    /// The number of outputs requested, and the slots that the current one still occupies.
    private let consumed = Mutex((count: 0, share: 0))

    init(slots: Int) {
        self.slots = Mutex(Array(repeating: Slot(), count: slots))
        // Starts at zero because a semaphore must not end below the value it started with.
        free = DispatchSemaphore(value: 0)
        for _ in 0..<slots { free.signal() }
        filled = (0..<slots).map { _ in DispatchSemaphore(value: 0) }
    }

    /// A job and the slot of its output; nil when there is no more to do.
    func take<Job: Sendable>(
        _ next: () throws -> Job?, _ share: (Job) -> Int
    ) -> (slot: Int, job: Result<Job, any Error>)? {
        turn.withLock { turn in
            guard !turn.isExhausted, waitForFree() else { return nil }
            let slot = turn.taken % filled.count
            let job = Result { try next() }
            guard case .success(let found?) = job else {
                turn.isExhausted = true
                if case .failure(let error) = job { return (slot, .failure(error)) }
                filled[slot].signal()
                return nil
            }
            turn.taken += 1
            let share = min(max(share(found), 1), filled.count)
            slots.withLock { $0[slot].share = share }
            // The workers that occupy these slots have earlier jobs, which will be consumed.
            for _ in 1..<share where !waitForFree() { return nil }
            return (slot, .success(found))
        }
    }

    /// Takes a free slot; false after `stop`.
    private func waitForFree() -> Bool {
        free.wait()
        guard isStopped.load(ordering: .acquiring) else { return true }
        free.signal()
        return false
    }

    func deliver(_ output: Result<Output, any Error>, at slot: Int) {
        slots.withLock { $0[slot].output = output }
        filled[slot].signal()
    }

    /// The next output in order; nil after the last.
    func await() throws -> Output? {
        let slot = consumed.withLock { consumed in
            defer { consumed = (consumed.count + 1, 0) }
            for _ in 0..<consumed.share { free.signal() }
            return consumed.count % filled.count
        }
        filled[slot].wait()
        let (output, share) = slots.withLock { slots in
            defer { slots[slot] = Slot() }
            return (slots[slot].output, slots[slot].share)
        }
        // A heavy output occupies its slots until it is consumed.
        if share == 1 { free.signal() } else { consumed.withLock { $0.share = share } }
        return try output?.get()
    }

    /// Makes the workers end after their current jobs.
    func stop() {
        isStopped.store(true, ordering: .releasing)
        free.signal()
    }
}
