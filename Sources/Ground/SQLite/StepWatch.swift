import CSQLite
import Dispatch
import Synchronization

/// Ends statements that run too long or are cancelled, from another thread: a single step of
/// SQLite's machine may take unlimited time, in which its own thread checks nothing.
@safe
final class StepWatch: Sendable {
    private let seconds: Double
    private let isCancelled: @Sendable () -> Bool
    /// Incremented at the beginning and at the end of each call: odd while one runs.
    private let calls = Atomic<UInt>(0)
    private let reason = Mutex<SQLiteFault?>(nil)

    init(_ limits: ForeignLimits) {
        seconds = limits.secondsWithoutRow
        isCancelled = limits.isCancelled
    }

    @inline(__always)
    func begin() { calls.store(calls.load(ordering: .relaxed) | 1, ordering: .relaxed) }

    @inline(__always)
    func end() { calls.store(calls.load(ordering: .relaxed) &+ 1, ordering: .relaxed) }

    func start(_ connection: OpaquePointer) {
        unsafe StepClock.shared.add(self, connection)
    }

    /// Removes the watch. It does not return while the connection is being interrupted.
    func stop() { StepClock.shared.remove(self) }

    /// Returns why the last statement was ended, and clears it.
    func takeReason() -> SQLiteFault? {
        reason.withLock { reason in
            defer { reason = nil }
            return reason
        }
    }

    /// The number of the running call; nil if there is none.
    var runningCall: UInt? {
        let calls = calls.load(ordering: .relaxed)
        return calls & 1 == 1 ? calls : nil
    }

    /// Whether a call that has run this long must end.
    fileprivate func mustEnd(after elapsed: Double) -> Bool {
        let why: SQLiteFault
        if isCancelled() {
            why = SQLiteFault(code: SQLiteFault.cancelled, message: "was stopped")
        } else if elapsed > seconds {
            let shown = seconds.rounded() == seconds ? "\(Int(seconds))" : "\(seconds)"
            why = SQLiteFault(
                code: SQLITE_INTERRUPT, message: "gave no row for \(shown) seconds")
        } else {
            return false
        }
        reason.withLock { $0 = why }
        return true
    }
}

/// Checks all watches ten times a second while there are any.
@safe
private final class StepClock: Sendable {
    static let shared = StepClock()
    private static let interval = 0.1

    @safe
    private struct Watched {
        let watch: StepWatch
        nonisolated(unsafe) let connection: OpaquePointer
        var call: UInt?
        var looks = 0
    }

    private struct State {
        var watched: [ObjectIdentifier: Watched] = [:]
        /// Whether a check is scheduled.
        var isTicking = false
    }
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "covey.sqlite-clock")

    func add(_ watch: StepWatch, _ connection: OpaquePointer) {
        state.withLock { state in
            let watched = unsafe Watched(watch: watch, connection: connection)
            state.watched[ObjectIdentifier(watch)] = watched
            if !state.isTicking { tick() }
            state.isTicking = true
        }
    }

    private func tick() {
        queue.asyncAfter(deadline: .now() + Self.interval) { [self] in look() }
    }

    func remove(_ watch: StepWatch) {
        state.withLock { $0.watched[ObjectIdentifier(watch)] = nil }
    }

    private func look() {
        state.withLock { state in
            for id in state.watched.keys { Self.look(at: &state.watched[id]!) }
            state.isTicking = !state.watched.isEmpty
            if state.isTicking { tick() }
        }
    }

    private static func look(at watched: inout Watched) {
        let call = watched.watch.runningCall
        watched.looks = call != nil && call == watched.call ? watched.looks + 1 : 0
        watched.call = call
        guard call != nil, watched.watch.mustEnd(after: Double(watched.looks) * interval) else {
            return
        }
        unsafe sqlite3_interrupt(watched.connection)
    }
}
