import PointInput
import Points
import Synchronization

/// The points of a build that an earlier one kept, with what changes about a layer of them.
final class UpdateInput: Sendable {
    private struct State {
        var reader: KeptPoints.Reader?
        var tally = PointChanges.Tally()
        var report = InputReport()
    }
    private let state = Mutex(State())
    private let kept: KeptPoints
    let request: UpdateRequest
    /// The layer that changes.
    let layer: Int
    /// Where the points lie if they are in a job.
    let parts: KeptParts?

    init(_ kept: KeptPoints, _ parts: KeptParts?, _ request: UpdateRequest, layer: Int) {
        self.kept = kept
        self.parts = parts
        self.request = request
        self.layer = layer
    }

    var tally: PointChanges.Tally { state.withLock { $0.tally } }
    /// What became of the records of changes.
    var report: InputReport { state.withLock { $0.report } }

    /// The next points of a layer; nil behind its last. Layers come one after another.
    func next(of layer: Int, _ keys: AttributeKeys) throws(UpdateError) -> PointTable? {
        try state.withLock { state throws(UpdateError) in
            if state.reader == nil { state.reader = try kept.reader(keys) }
            return try state.reader?.next(of: layer)
        }
    }

    /// Throws unless all points have come, and are those that the archive was built of.
    func finish() throws(UpdateError) {
        try state.withLock { state throws(UpdateError) in try state.reader?.finish() }
    }

    func tell(_ tally: PointChanges.Tally, _ report: InputReport) {
        state.withLock { ($0.tally, $0.report) = (tally, report) }
    }
}
