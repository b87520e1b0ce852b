import Points
import Synchronization

/// Joins the pieces of an input in order: into the table, and into the report.
///
/// All workers of an input share it.
public final class PointCollector: Sendable {
    public let options: InputOptions
    public let keys: AttributeKeys
    /// The input's name, and the word for its records.
    let name: String
    let noun: String

    private struct State {
        var table: PointTable
        /// The reports of earlier inputs and of this one.
        var earlier: InputReport
        var report = InputReport()
        var survey = PlaceSurvey()
        var bytes = 0
        var lines = 0
        /// The kinds that the input declares for its attributes.
        var kinds: [String: AttributeKind] = [:]
    }
    private let state: Mutex<State>
    /// The number of points from earlier inputs, including those that the spill took.
    private let initialCount: Int
    private let spill: (any PointSpill)?

    init(
        table: PointTable, report: InputReport, options: InputOptions, name: String, noun: String,
        spill: (any PointSpill)? = nil
    ) {
        self.options = options
        keys = table.attributes.keys
        self.name = name
        initialCount = table.count + (spill?.count ?? 0)
        self.spill = spill
        spill?.beginInput(behind: initialCount)
        self.noun = noun
        state = Mutex(State(table: table, earlier: report))
    }

    /// Sets the kinds that the input declares for its attributes; the options' kinds go before them.
    func declare(_ kinds: [String: AttributeKind]) { state.withLock { $0.kinds = kinds } }

    /// Makes a builder for a worker's records.
    public func makeBuilder() -> PointBuilder {
        var options = options
        options.kinds.merge(state.withLock { $0.kinds }) { asked, _ in asked }
        return PointBuilder(options: options, keys: keys, input: name, noun: noun)
    }

    /// Adds the points collected in the builder. Pieces must come in the order of the input.
    public func collect(_ builder: inout PointBuilder) throws(InputError) {
        var piece = builder.takePiece()
        try append(&piece)
        builder.reuse(piece.batch)
    }

    /// Appends the next piece of the input; throws if the run must stop.
    func append(_ piece: inout ParsedPiece) throws(InputError) {
        if options.isCancelled() { throw .cancelled(input: name) }
        if piece.hasTooManyNames {
            throw .tooManyNames(input: name, limit: options.mostNames)
        }
        try state.withLock { state throws(InputError) in
            piece.shift(records: state.report.records, bytes: state.bytes, lines: state.lines)
            state.report.add(piece.report)
            state.survey.add(piece.survey)
            // What a filter leaves out was looked at before.
            if options.filter == nil {
                state.report.kinds.look(at: piece.batch.records.span, input: name)
            }
            state.bytes += piece.byteCount
            state.lines += piece.lineCount
            if let failure = piece.failure {
                throw .rejected(failure, seen: state.report.rejected[failure.reason] ?? 1)
            }
            if case .atMost(let limit) = options.tolerance,
                state.earlier.invalidCount + state.report.invalidCount > limit,
                let last = state.report.samples.last(where: { $0.reason.category == .invalid })
            {
                throw .tooManyRejected(limit: limit, last)
            }
            state.table.append(piece.batch)
            try spill?.take(&state.table, of: name)
        }
    }

    /// Discards everything of this input, which is read again.
    func startAgain() {
        state.withLock { state in
            if let spill {
                spill.startAgain(&state.table)
            } else {
                state.table.truncate(to: initialCount)
            }
            state.report = InputReport()
            state.survey = PlaceSurvey()
            state.bytes = 0
            state.lines = 0
        }
    }

    /// Notes something about the input for the user.
    func note(_ text: String) { state.withLock { $0.report.note("\(name): \(text)") } }

    /// Returns the table and the report.
    func finish() -> (table: PointTable, report: InputReport) {
        state.withLock { state in
            let table = state.table
            state.table = PointTable()
            let blanks = state.report.rejected[.noLocation, default: 0]
            if blanks > 0 {
                state.report.note(
                    "\(name): left out \(blanks) \(noun)\(blanks == 1 ? "" : "s") without coordinates"
                )
            }
            if let join = options.join, state.report.unjoined > 0 {
                let count = state.report.unjoined
                state.report.note(
                    "\(name): \(join.name) has no row for \(count) \(noun)\(count == 1 ? "" : "s")")
            }
            for note in options.join?.notes ?? [] { state.report.note(note) }
            for (odd, count) in state.report.oddIDs.sorted(by: { $0.key < $1.key }) {
                let note = odd.note(on: count, noun, attribute: options.idAttribute)
                state.report.note("\(name): \(note)")
            }
            for (attribute, numbers) in state.report.moments.sorted(by: { $0.key < $1.key }) {
                if let note = numbers.note(on: attribute) { state.report.note("\(name): \(note)") }
            }
            if let regions = options.regions { state.report.nameRegions(regions.names) }
            for (own, count) in state.report.givenWay.sorted(by: { $0.key < $1.key }) {
                let other =
                    own == Regions.attribute && options.regions != nil
                    ? "the region that points lie in" : "what is counted by"
                state.report.note(
                    "\(name): an attribute \(own) of its own gives way to \(other), of \(count); "
                        + "--exclude \(own) leaves it out")
            }
            if options.tellsOddPlaces {
                let odd = state.survey.oddities(of: options, rejected: state.report.rejected)
                for oddity in odd { state.report.note("\(name): \(oddity)") }
            }
            noteKinds(&state)
            state.earlier.add(state.report)
            return (table, state.earlier)
        }
    }

    /// Notes the attributes whose values are of other kinds than before.
    private func noteKinds(_ state: inout State) {
        let differences = state.earlier.kinds.differences(to: state.report.kinds, keys)
        for difference in differences { state.report.note("\(name): \(difference)") }
        if let known = options.knownKinds {
            state.report.kindChanges = AttributeKinds(known, keys)
                .differences(to: state.report.kinds, keys, isKept: true)
                .map { "\(name): \($0)" }
        }
    }
}
