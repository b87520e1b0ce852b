import Platform
import Synchronization
import TileService

/// The messages of a running server: which files came and went, and how many clients were refused. While their reader
/// has stopped they are left out, so that the server does not stop as well.
final class ServiceJournal: Sendable {
    private let console: Console
    private let isQuiet: Bool
    private let refused = Mutex(0)

    init(console: Console, isQuiet: Bool) {
        self.console = console
        self.isQuiet = isQuiet
    }

    func say(_ line: String) {
        if !isQuiet, StandardStream.errors.isWritable { console.say(line) }
    }

    private func complain(_ line: String) {
        if StandardStream.errors.isWritable { console.complain(line) }
    }

    /// Reports a change of a file. Problems are reported even if the server is quiet.
    @Sendable
    func tell(_ change: CatalogChange) {
        if case .refused = change {
            complain(change.description)
        } else {
            say(change.description)
        }
    }

    /// Reports the connections that were refused since the last call.
    /// - Parameter total: the number of refused connections since the server began.
    func tell(refusedConnections total: Int) {
        let count = refused.withLock { last in
            defer { last = total }
            return total - last
        }
        guard count > 0 else { return }
        complain(
            "\(count) \(count == 1 ? "connection" : "connections") refused: past --max-connections or "
                + "--max-connections-per-ip")
    }
}
