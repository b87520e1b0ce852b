import PointInput
import Points
import Synchronization

/// The points that an earlier build kept, with the changes to one of their layers.
final class UpdateInput: Sendable {
    private struct State {
        var reader: KeptPoints.Reader?
        var tally = PointChanges.Tally()
        var report = InputReport()
        var warnings: [String] = []
    }
    private let state = Mutex(State())
    private let kept: KeptPoints
    let request: UpdateRequest
    /// The layer that changes.
    let layer: Int
    /// The points in a job; nil if they are in a file.
    let parts: KeptParts?
    /// The kinds of the points' attributes.
    let kinds: KnownKinds?

    init(
        _ kept: KeptPoints, _ parts: KeptParts?, _ request: UpdateRequest, layer: Int,
        _ kinds: KnownKinds?
    ) {
        self.kept = kept
        self.parts = parts
        self.request = request
        self.layer = layer
        self.kinds = kinds
    }

    var tally: PointChanges.Tally { state.withLock { $0.tally } }
    /// The report about the records of changes.
    var report: InputReport { state.withLock { $0.report } }
    /// What may be wrong with the changes.
    var warnings: [String] { state.withLock { $0.warnings } }

    /// The next points of a layer; nil after its last. Layers are read one after another.
    func next(of layer: Int, _ keys: AttributeKeys) throws(UpdateError) -> PointTable? {
        try state.withLock { state throws(UpdateError) in
            if state.reader == nil { state.reader = try kept.reader(keys) }
            return try state.reader?.next(of: layer)
        }
    }

    /// Throws unless all points have been read, and are those of the archive.
    func finish() throws(UpdateError) {
        try state.withLock { state throws(UpdateError) in try state.reader?.finish() }
    }

    /// Reports about changes that are applied, and about their records.
    func tell(_ changes: PointChanges, _ report: InputReport) {
        let (tally, warnings) = (changes.tally, report.kindChanges + changes.warnings)
        var report = report
        for note in warnings + changes.notes { report.note(note) }
        state.withLock { ($0.tally, $0.report, $0.warnings) = (tally, report, warnings) }
    }
}
