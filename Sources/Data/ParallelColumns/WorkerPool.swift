import CLibrary
import Dispatch
import Pipelines
import Synchronization

/// Threads that wait for consecutive stages of work.
///
/// Waking a thread takes longer than a stage over a few thousand nodes, and clustering has a
/// thousand such stages. So a thread without work spins for a moment before it sleeps.
///
/// That is why it exists beside `OrderedPipeline`: a stage has all its pieces from the start, writes to
/// existing memory and ends before the next begins, many times a second; a pipeline streams jobs that arrive
/// one by one, keeps few of them in memory, and is started once for minutes of work.
final class WorkerPool: Sendable {
    private let state = PoolState()
    private let threads: Int
    private let isStarted = Atomic<Bool>(false)

    init(threads: Int) { self.threads = threads }

    /// Calls `body` once with each number below `pieces`; returns when all calls have.
    ///
    /// In another such call, or while one runs, the caller does all pieces.
    func forEach(_ pieces: Int, _ body: @Sendable (Int) -> Void) {
        if !isStarted.exchange(true, ordering: .relaxed) { start() }
        withoutActuallyEscaping(body) { body in
            state.run(PoolState.Job(pieces: pieces, body: body))
        }
    }

    private func start() {
        // If fewer threads can be started, these and the caller do all the work.
        for _ in 0..<threads {
            guard WorkerThread.start({ [state] in state.serve() }) else { return }
        }
    }

    deinit { state.end() }
}

/// The shared state of a pool's threads: one job at a time.
private final class PoolState: Sendable {
    struct Job: Sendable {
        let pieces: Int
        let body: @Sendable (Int) -> Void
    }

    private struct State {
        /// The job that threads may still join.
        var job: Job?
        /// True from the start of a job until the last thread has left it.
        var isBusy = false
        var sleeping = 0
        var isAwaited = false
        var isEnded = false
    }

    private let state = Mutex(State())
    /// Incremented with each job, so that threads notice it without the lock.
    private let generation = Atomic<Int>(0)
    /// The first piece that no thread has taken.
    private let next = Atomic<Int>(0)
    /// The number of threads that are working.
    private let active = Atomic<Int>(0)
    private let wake = DispatchSemaphore(value: 0)
    private let finished = DispatchSemaphore(value: 0)

    /// The number of checks before a thread sleeps: about fifty microseconds.
    private static let spins = 100

    func run(_ job: Job) {
        let isMine = state.withLock { state in
            // A job whose pieces are all taken may still be running, and may start another.
            guard !state.isBusy else { return false }
            state.isBusy = true
            state.job = job
            next.store(0, ordering: .relaxed)
            generation.add(1, ordering: .releasing)
            let woken = min(state.sleeping, job.pieces - 1)
            state.sleeping -= woken
            for _ in 0..<woken { wake.signal() }
            return true
        }
        guard isMine else {
            for piece in 0..<job.pieces { job.body(piece) }
            return
        }
        work(at: job)
        state.withLock { $0.job = nil }
        awaitThreads()
        state.withLock { $0.isBusy = false }
    }

    private func work(at job: Job) {
        while true {
            let piece = next.add(1, ordering: .relaxed).oldValue
            guard piece < job.pieces else { return }
            job.body(piece)
        }
    }

    /// Waits for the threads that joined the job before it was closed.
    private func awaitThreads() {
        for _ in 0..<Self.spins {
            if active.load(ordering: .acquiring) == 0 { return }
            sched_yield()
        }
        let isLate = state.withLock { state in
            state.isAwaited = active.load(ordering: .acquiring) > 0
            return state.isAwaited
        }
        if isLate { finished.wait() }
    }

    /// Joins one job after another until the end.
    func serve() {
        while true {
            let seen = generation.load(ordering: .acquiring)
            switch takePart() {
            case .ended: return
            case .worked: leave()
            case .idle: break
            }
            sleep(since: seen)
        }
    }

    private enum Part { case ended, worked, idle }

    /// Releases the job before it returns: a thread that has left must not retain what belongs to the caller.
    private func takePart() -> Part {
        let (job, isEnded) = state.withLock { state in
            if state.job != nil { active.add(1, ordering: .relaxed) }
            return (state.job, state.isEnded)
        }
        guard let job else { return isEnded ? .ended : .idle }
        work(at: job)
        return .worked
    }

    private func leave() {
        state.withLock { state in
            let isLast = active.subtract(1, ordering: .releasing).newValue == 0
            guard isLast, state.isAwaited else { return }
            state.isAwaited = false
            finished.signal()
        }
    }

    private func sleep(since seen: Int) {
        for _ in 0..<Self.spins {
            if generation.load(ordering: .acquiring) != seen { return }
            sched_yield()
        }
        let sleeps = state.withLock { state in
            let isNews = generation.load(ordering: .acquiring) != seen
            guard !isNews, !state.isEnded else { return false }
            state.sleeping += 1
            return true
        }
        if sleeps { wake.wait() }
    }

    /// Ends the threads.
    func end() {
        state.withLock { state in
            state.isEnded = true
            for _ in 0..<state.sleeping { wake.signal() }
            state.sleeping = 0
        }
        generation.add(1, ordering: .releasing)
    }
}
