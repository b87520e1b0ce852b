import Expressions
import Geometry
import Points

/// Where every record of every format passes: it checks coordinates, turns attributes into what the
/// options ask for, and counts and locates what it turns away.
///
/// A record is `begin`, any number of `add`s and `setID`, then `end` with its place, or `reject`.
/// Gates of one input work side by side, each on its own stretch; their pieces are put together
/// in order by the collector.
public struct RecordGate {
    let options: InputOptions
    let keys: AttributeKeys
    /// The meaning of coordinates: the options', or what the input itself says.
    public var crs: CoordinateSystem
    let blank: RecordLocation
    let filter: BoundExpression?

    var batch = PointBatch()
    var report = InputReport()
    var failure: Rejection?

    var plans: [SlotPlan] = []
    var names: [String] = []
    private var slots: [String: AttributeSlot] = [:]

    // The record at hand.
    var stamp = 0
    var offset = 0
    var id = PointTable.noID
    var otherID: AttributeValue?
    var weight = 1.0
    var fault: (reason: RejectReason, problem: String)?

    init(options: InputOptions, keys: AttributeKeys, input: String, noun: String) {
        self.options = options
        self.keys = keys
        filter = options.filter?.bound(to: keys)
        crs = options.crs
        blank = RecordLocation(input: input, noun: noun, record: 0)
    }

    /// Whether a record was met that ends the run; no more need be read.
    public var isStopped: Bool { failure != nil }

    /// Whether enough has gathered to hand it on.
    public var isFull: Bool { batch.count >= 1 << 14 || batch.records.bytes.count >= 1 << 20 }

    /// The slot of that attribute.
    public mutating func slot(named name: String) -> AttributeSlot {
        if let slot = slots[name] { return slot }
        let slot = AttributeSlot(index: plans.count)
        plans.append(SlotPlan(name: name, options: options, keys: keys))
        names.append(name)
        slots[name] = slot
        return slot
    }

    func name(of slot: AttributeSlot) -> String { names[slot.index] }

    /// Starts a record; `offset` is where it stands in the reader's own stretch of bytes.
    public mutating func begin(at offset: Int = 0) {
        report.records += 1
        stamp += 1
        self.offset = offset
        id = PointTable.noID
        weight = 1
    }
}

// MARK: - The end of a record

extension RecordGate {
    /// Ends the record: a point at those coordinates.
    public mutating func end(x: Double, y: Double) {
        guard finishAttributes(), let place = place(x, y) else { return turnAway() }
        batch.append(place, weight: weight, id: id)
        report.points += 1
        report.kept += 1
    }

    /// Ends the record: a point at each position (x, y, x, y, …), all with the same attributes.
    public mutating func end(positions: [Double]) {
        guard !positions.isEmpty else { return reject(.noLocation, "has no positions") }
        guard finishAttributes() else { return turnAway() }
        let record = batch.unfinishedRecord
        let count = batch.count
        for index in stride(from: 0, to: positions.count, by: 2) {
            guard let place = place(positions[index], positions[index + 1]) else {
                batch.removePoints(from: count)
                return turnAway()
            }
            if index > 0 { batch.records.append(packed: record) }
            batch.append(place, weight: weight, id: id)
        }
        report.points += positions.count / 2
        report.kept += 1
    }

    /// Forgets that a record began.
    mutating func cancel() {
        report.records -= 1
        fault = nil
        otherID = nil
        batch.discardUnfinished()
    }

    /// Tells the user something about the input; told again, it is still told once.
    mutating func note(_ text: String) { report.note("\(blank.input): \(text)") }

    /// Ends the record without a point. `place` is the byte of the fault, if the reader knows it
    /// better than where the record began.
    public mutating func reject(_ reason: RejectReason, _ problem: String, at place: Int? = nil) {
        fault = (reason, problem)
        if let place { offset = place }
        turnAway()
    }

    private mutating func finishAttributes() -> Bool {
        if otherID != nil { addOtherID() }
        if filter != nil, fault == nil { applyFilter() }
        return fault == nil
    }

    private mutating func applyFilter() {
        let record = batch.unfinishedRecord
        guard filter?.matches(AttributeRecord(record.span), id: id) ?? true else {
            return refuse(.filtered, "does not match the filter")
        }
        for plan in plans where plan.isForFilter { batch.removeAttribute(plan.key) }
    }

    private mutating func turnAway() {
        guard let (reason, problem) = fault else { return }
        fault = nil
        otherID = nil
        batch.discardUnfinished()
        var location = blank
        location.record = report.records
        location.offset = offset
        let rejection = Rejection(reason: reason, problem: problem, location: location)
        report.count(rejection)
        let stops =
            switch reason.category {
            case .leftOut: false
            case .nonPoint: !options.skipsNonPoints && options.tolerance == .none
            case .invalid: options.tolerance == .none
            }
        if stops, failure == nil { failure = rejection }
    }

    private mutating func place(_ x: Double, _ y: Double) -> WorldPoint? {
        guard x.isFinite, y.isFinite else {
            refuse(.badCoordinates, "has the coordinates \(x), \(y), which are no finite numbers")
            return nil
        }
        guard crs == .lonLat else { return WorldPoint(webMercatorX: x, y: y).wrapped }
        guard y.magnitude <= 90 else {
            let swapped = x.magnitude <= 90 ? "; longitude and latitude look swapped" : ""
            refuse(.latitudeOutOfRange, "has the latitude \(y), beyond ±90\(swapped)")
            return nil
        }
        return WorldPoint(LonLat(longitude: x, latitude: y)).wrapped
    }
}

// MARK: - Pieces

extension RecordGate {
    /// Hands over what has gathered and starts anew. `bytes` is the stretch that the offsets
    /// point into; faults are located by its lines.
    mutating func takePiece(of bytes: Span<UInt8>? = nil) -> ParsedPiece {
        var piece = ParsedPiece(batch: batch, report: report, failure: failure)
        if let bytes {
            piece.byteCount = bytes.count
            piece.lineCount = LineCount.of(bytes)
            for index in piece.report.samples.indices {
                piece.report.samples[index].location.countLines(in: bytes)
            }
            piece.failure?.location.countLines(in: bytes)
        }
        // The next stretch is likely to hold about as much.
        batch = PointBatch(withRoomOf: batch)
        report = InputReport()
        failure = nil
        return piece
    }
}
