import Synchronization

/// The archives whose points could not be built when they changed, so that they are served as they were, or not at all.
/// What builds them tells; a service lists them among its problems.
public final class BuildTroubles: Sendable {
    private let ids = Mutex<Set<String>>([])

    public init() {}

    /// Notes whether the last build of an archive went well.
    public func note(_ id: String, isBuilt: Bool) {
        ids.withLock { if isBuilt { $0.remove(id) } else { $0.insert(id) } }
    }

    /// The given problems and these, which say no more on the web: reasons name files.
    func joined(to problems: [Catalog.Problem]) -> [Catalog.Problem] {
        let ids = ids.withLock { $0 }
        let own = ids.map {
            Catalog.Problem(
                id: $0, path: "",
                reason: "its points could not be built as they are now; the server's log says why")
        }
        return (problems.filter { !ids.contains($0.id) } + own).sorted { $0.id < $1.id }
    }
}
