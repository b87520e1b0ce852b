import Synchronization
import TileService

/// What a running server tells people: which files came and went, and who was turned away.
final class ServiceJournal: Sendable {
    private let console: Console
    private let isQuiet: Bool
    private let refused = Mutex(0)

    init(console: Console, isQuiet: Bool) {
        self.console = console
        self.isQuiet = isQuiet
    }

    func say(_ line: String) {
        if !isQuiet { console.say(line) }
    }

    /// Tells of a file. What is wrong with one is said to those who want quiet, too.
    @Sendable
    func tell(_ change: CatalogChange) {
        if case .refused = change {
            console.complain(change.description)
        } else {
            say(change.description)
        }
    }

    /// Tells of connections past the limits that came since it was called last.
    /// - Parameter total: how many there were since the server began.
    func tell(refusedConnections total: Int) {
        let count = refused.withLock { last in
            defer { last = total }
            return total - last
        }
        guard count > 0 else { return }
        console.complain(
            "\(count) \(count == 1 ? "connection" : "connections") refused: past --max-connections or "
                + "--max-connections-per-ip")
    }
}
