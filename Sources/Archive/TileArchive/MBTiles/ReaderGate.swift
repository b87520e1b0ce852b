import CLibrary
import Platform

/// Waits until no other program reads a database.
///
/// SQLite itself lets no reader begin from the moment in which it waits for the last one to end. If that one takes long, as
/// a backup does, all others fail. So this waits before SQLite does, and stops readers for moments only.
struct ReaderGate: ~Copyable {
    private let file: File

    /// The bytes on which SQLite's readers have locks, and that on which each briefly needs one to begin (SQLite's file
    /// format, 1.4).
    private static let readers = 0x4000_0002..<0x4000_0200
    private static let entry = 0x4000_0000..<0x4000_0001

    /// How long readers may be kept from beginning, so that those that are there can end. They wait longer by themselves.
    private static let closed = Duration.milliseconds(200)
    private static let open = Duration.seconds(1)
    private static let step: UInt32 = 2_000

    /// Opens a database. Closing it ends all locks that this process has on it, so the gate must stay until the transaction is
    /// over.
    init(of path: String) throws(ArchiveError) {
        do {
            file = try File(writing: path)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Returns true in a moment without readers; false if there was none.
    func wait(_ patience: Duration, isCancelled: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + patience
        while true {
            if isFree(before: .now + Self.closed) { return true }
            // Those that may begin now are waited for in the next round.
            let next = ContinuousClock.now + Self.open
            while .now < next {
                if isCancelled() || .now > deadline { return false }
                usleep(Self.step)
            }
        }
    }

    private func isFree(before end: ContinuousClock.Instant) -> Bool {
        if !file.hasLocks(in: Self.readers) { return true }
        guard file.lock(Self.entry, exclusively: true) else { return false }
        defer { file.unlock(Self.entry) }
        while .now < end {
            if !file.hasLocks(in: Self.readers) { return true }
            usleep(Self.step)
        }
        return false
    }
}
