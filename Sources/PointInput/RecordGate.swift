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
    private let blank: RecordLocation

    var batch = PointBatch()
    var report = InputReport()
    private var failure: Rejection?

    private var plans: [SlotPlan] = []
    private var slots: [String: AttributeSlot] = [:]

    // The record at hand.
    private var offset = 0
    private var id = PointTable.noID
    private var otherID: AttributeValue?
    private var weight = 1.0
    private var fault: (reason: RejectReason, problem: String)?

    init(options: InputOptions, keys: AttributeKeys, input: String, noun: String) {
        self.options = options
        self.keys = keys
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
        slots[name] = slot
        return slot
    }

    /// Starts a record; `offset` is where it stands in the reader's own stretch of bytes.
    public mutating func begin(at offset: Int = 0) {
        report.records += 1
        self.offset = offset
        id = PointTable.noID
        weight = 1
    }
}

// MARK: - Attributes

extension RecordGate {
    public mutating func add(_ slot: AttributeSlot, number: Double) {
        guard isPlain(slot) else { return addSpecial(slot, .init(canonical: number)) }
        batch.records.append(plans[slot.index].key, number: number)
    }

    public mutating func add(_ slot: AttributeSlot, integer: Int64) {
        guard isPlain(slot) else { return addSpecial(slot, .integer(integer)) }
        batch.records.append(plans[slot.index].key, integer: integer)
    }

    public mutating func add(_ slot: AttributeSlot, unsigned: UInt64) {
        guard isPlain(slot) else { return addSpecial(slot, .init(unsigned: unsigned)) }
        batch.records.append(plans[slot.index].key, unsigned: unsigned)
    }

    public mutating func add(_ slot: AttributeSlot, bool: Bool) {
        guard isPlain(slot) else { return addSpecial(slot, .bool(bool)) }
        batch.records.append(plans[slot.index].key, bool: bool)
    }

    /// Adds a text that is known to be valid UTF-8.
    public mutating func add(_ slot: AttributeSlot, utf8: Span<UInt8>) {
        guard isPlain(slot) else { return addSpecial(slot, .text(String(copying: utf8))) }
        batch.records.append(plans[slot.index].key, utf8: utf8)
    }

    /// Whether the values of this attribute are turned into another kind, so that a reader does
    /// well to pass numbers as they are spelled.
    func isConverted(_ slot: AttributeSlot) -> Bool { plans[slot.index].kind != nil }

    /// Notes that the record has this attribute; false where its value needs more than packing.
    private mutating func isPlain(_ slot: AttributeSlot) -> Bool {
        let isRepeated = plans[slot.index].lastRecord == report.records
        plans[slot.index].lastRecord = report.records
        let plan = plans[slot.index]
        return plan.isKept && plan.kind == nil && plan.role == .plain && !isRepeated
    }

    private mutating func addSpecial(_ slot: AttributeSlot, _ value: AttributeValue) {
        let plan = plans[slot.index]
        guard let value = converted(value, plan) else { return }
        batch.removeAttribute(plan.key)
        switch plan.role {
        case .id:
            if let whole = value.wholeNumber { return id = whole }
        case .weight:
            guard let number = value.asNumber, number > 0, number < .infinity else {
                return refuse(
                    .badWeight,
                    "has the weight \(Snippet.of("\(value)")); it must be a number above 0")
            }
            weight = number
        case .plain: break
        }
        if plan.isKept { batch.records.append(plan.key, value) }
    }

    private mutating func converted(_ value: AttributeValue, _ plan: SlotPlan) -> AttributeValue? {
        guard let kind = plan.kind else { return value }
        if let converted = value.converted(to: kind) { return converted }
        refuse(
            .wrongKind,
            "has \(Snippet.of(value.spelling)) as \(plan.name), which is no \(kind.rawValue)")
        return nil
    }

    /// Notes what is wrong with the record at hand; the first fault counts.
    public mutating func refuse(_ reason: RejectReason, _ problem: String) {
        if fault == nil { fault = (reason, problem) }
    }
}

// MARK: - Ids

extension RecordGate {
    /// Sets the feature's id, unless the options take it from an attribute. An id that a tile can't
    /// hold stays as the attribute `id`, if the record has none of that name.
    public mutating func setID(_ value: AttributeValue) {
        if options.idAttribute == nil, let whole = value.wholeNumber {
            id = whole
        } else {
            otherID = value
        }
    }

    mutating func setID(unsigned: UInt64) {
        if options.idAttribute == nil, unsigned != PointTable.noID {
            id = unsigned
        } else {
            otherID = AttributeValue(unsigned: unsigned)
        }
    }

    private mutating func addOtherID() {
        guard let value = otherID else { return }
        otherID = nil
        let slot = slot(named: "id")
        if plans[slot.index].lastRecord != report.records { addSpecial(slot, value) }
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

    /// Ends the record without a point. `place` is the byte of the fault, if the reader knows it
    /// better than where the record began.
    public mutating func reject(_ reason: RejectReason, _ problem: String, at place: Int? = nil) {
        fault = (reason, problem)
        if let place { offset = place }
        turnAway()
    }

    private mutating func finishAttributes() -> Bool {
        if otherID != nil { addOtherID() }
        return fault == nil
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
        batch = PointBatch()
        report = InputReport()
        failure = nil
        for index in plans.indices { plans[index].lastRecord = -1 }
        return piece
    }
}
