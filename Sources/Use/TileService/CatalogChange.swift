/// A change that another look at the files found, for one archive or file.
public enum CatalogChange: Equatable, Sendable {
    case added(String)
    case replaced(String)
    case removed(String)
    /// It cannot be served, or only in its former state.
    case refused(String, reason: String, isStillServed: Bool)
    /// Its problem is gone.
    case mended(String)
}

extension CatalogChange: CustomStringConvertible {
    public var description: String {
        switch self {
        case .added(let id): "\(id): now served"
        case .replaced(let id): "\(id): its new file is served"
        case .removed(let id): "\(id): gone, and no longer served"
        case .refused(let id, let reason, true): "\(id): still served as it was: \(reason)"
        case .refused(let id, let reason, false): "\(id): not served: \(reason)"
        case .mended(let id): "\(id): well again"
        }
    }
}

extension Catalog {
    /// The differences from an earlier look, by id.
    func changes(since old: Catalog) -> [CatalogChange] {
        var changes: [CatalogChange] = []
        for id in Set(archives.keys).union(old.archives.keys).sorted() {
            switch (old.archives[id]?.number, archives[id]?.number) {
            case (nil, .some): changes.append(.added(id))
            case (.some, nil): changes.append(.removed(id))
            case (let before, let now) where before != now: changes.append(.replaced(id))
            default: break
            }
        }
        let before = Set(old.problems.map(\.id))
        let now = Set(problems.map(\.id))
        for problem in problems where !old.problems.contains(problem) {
            changes.append(
                .refused(
                    problem.id, reason: problem.reason,
                    isStillServed: archives[problem.id] != nil))
        }
        // An archive that was replaced or removed is reported by that.
        for id in before.subtracting(now).sorted()
        where archives[id] != nil && archives[id]?.number == old.archives[id]?.number {
            changes.append(.mended(id))
        }
        return changes
    }
}
