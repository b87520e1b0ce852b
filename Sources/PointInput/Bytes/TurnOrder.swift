#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Lets workers do something one after another, in the order of their tickets.
@safe
final class TurnOrder: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var turn = 0

    init() {
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    /// Waits for the ticket's turn, runs the body, and lets the next ticket go on.
    func take(_ ticket: Int, _ body: () -> Void) {
        unsafe pthread_mutex_lock(mutex)
        while turn != ticket { unsafe pthread_cond_wait(condition, mutex) }
        body()
        turn += 1
        unsafe pthread_cond_broadcast(condition)
        unsafe pthread_mutex_unlock(mutex)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }
}
