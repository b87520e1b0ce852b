import CLibrary

/// Hands on what workers finish side by side, in the order of their tickets.
///
/// Who comes early leaves its item to whoever's turn it is and goes on working; only who is too far
/// ahead waits, so that never more than `room` items do.
@safe
final class TurnOrder<Item: Sendable>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let room: Int
    // All of these belong to who holds the lock.
    private var turn = 0
    private var waiting: [Int: Item] = [:]
    private var isHandingOn = false

    init(room: Int) {
        self.room = room
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    /// Hands on an item and all that waited for it, or leaves it to another worker.
    /// `handOn` runs on one thread at a time.
    func put(_ item: consuming Item, ticket: Int, _ handOn: (consuming Item) -> Void) {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        while ticket >= turn + room { unsafe pthread_cond_wait(condition, mutex) }
        waiting[ticket] = item
        guard !isHandingOn else { return }
        isHandingOn = true
        while let next = waiting.removeValue(forKey: turn) {
            unsafe pthread_mutex_unlock(mutex)
            handOn(next)
            unsafe pthread_mutex_lock(mutex)
            turn += 1
            unsafe pthread_cond_broadcast(condition)
        }
        isHandingOn = false
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }
}
