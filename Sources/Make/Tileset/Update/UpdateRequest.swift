import JSON
import PointInput
import Points
import Recipes
import Synchronization

/// What is to change about the points of an archive.
public struct UpdateRequest: Sendable {
    /// Files of points that come or are replaced, and of removals.
    public var sources: [String] = []
    /// How those are read, where that is not as the archive's recipe says.
    public var input: InputRecipe?
    /// The layer that changes; nil where there is only one.
    public var layer: String?
    public var identity = PointIdentity.id
    /// The keys of points that go.
    public var deletions: [PointKey] = []
    /// Points go for which this expression of the style specification is true.
    public var leaves: JSONValue?
    /// The attribute that is true of records that take a point away.
    public var removalMark = "delete"
    /// Whether to refuse what makes all tiles others.
    public var keepsFacts = false

    public init() {}
}

/// Where the points of a build come from.
enum PointOrigin: Sendable {
    case sources
    /// What was kept of an earlier build, and what changes about a layer of it.
    case kept(KeptPoints, UpdateRequest, layer: Int, KeptReading)
}

/// How far kept points have been read, and what was met.
final class KeptReading: Sendable {
    private struct State {
        var reader: KeptPoints.Reader?
        var tally = PointChanges.Tally()
        var input = InputReport()
    }
    private let state = Mutex(State())

    var tally: PointChanges.Tally { state.withLock { $0.tally } }
    /// What became of the records of changes.
    var input: InputReport { state.withLock { $0.input } }

    func begin(_ reader: KeptPoints.Reader) {
        state.withLock { if $0.reader == nil { $0.reader = reader } }
    }

    /// The next points of a layer; nil behind its last.
    func next(of layer: Int) throws(UpdateError) -> PointTable? {
        var failure: UpdateError?
        let points = state.withLock { state -> PointTable? in
            do throws(UpdateError) {
                return try state.reader?.next(of: layer)
            } catch {
                failure = error
                return nil
            }
        }
        if let failure { throw failure }
        return points
    }

    func end(_ tally: PointChanges.Tally, _ input: InputReport) {
        state.withLock { ($0.tally, $0.input) = (tally, input) }
    }
}
