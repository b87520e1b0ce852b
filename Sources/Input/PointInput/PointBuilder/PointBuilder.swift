import Expressions
import Geometry
import Points
import Projections

/// Receives every record of every format: it checks coordinates, converts attributes as the options
/// say, and counts and locates the records that it rejects.
///
/// A record is `begin`, any number of `add`s and `setID`, then `end` with its position, or
/// `reject`. Builders of one input work in parallel, each on its own part; the collector joins
/// their pieces in order.
public struct PointBuilder {
    let options: InputOptions
    let keys: AttributeKeys
    /// The coordinate system: that of the input itself, or of the options.
    public internal(set) var crs = CoordinateSystem.lonLat
    /// Whether the input itself declares it.
    var declaresCRS = false
    /// The projection to degrees, if PROJ makes it; opened when first needed.
    var projection: Projection?
    /// Those opened so far: geometries of one input may use several systems in turn.
    var projections: [CoordinateSystem: Projection] = [:]
    /// Whether a point of the current piece is far from the area of its system.
    var isFarOut = false
    let blank: RecordLocation
    let filter: BoundExpression?

    var batch = PointBatch()
    /// The number of the batch's projected points; the others still have the input's coordinates.
    var projectedCount = 0
    var report = InputReport()
    var failure: Rejection?
    /// Whether a record has ended the run; nothing more need be read.
    public internal(set) var isStopped = false

    var plans: [AttributePlan] = []
    var names: [String] = []
    private var attributes: [String: InputAttribute] = [:]
    /// The names that the filter uses, and the keys of those that points do not keep.
    private let filtered: Set<String>
    private var filteredOnly: Set<AttributeKey> = []
    /// Whether the input has more attribute names than the limit.
    var hasTooManyNames = false

    // The state of the current record.
    var stamp = 0
    var offset = 0
    var id = PointTable.noID
    /// Whether any of those below is set, or there is a filter: for most records this is the only check.
    var takesCare = false
    var otherID: AttributeValue?
    var weight = 1.0
    /// Its attributes without a value; only a filter distinguishes them from missing ones.
    var nulls: [InputAttribute] = []
    /// The ends of attribute values that later ones in the same record replace.
    var takenBack: [AttributeKey: Int] = [:]
    /// The text of an invalid weight; it is an error only if the filter accepts the record.
    var badWeight: String?
    /// What becomes of its value for an id, if that cannot be one.
    var oddID: OddID?
    var fault: (reason: RejectReason, problem: String)?
    /// Whether it removes a point.
    var isRemoval = false
    /// Its code in the joined table, and the attributes that it gets from there.
    var joinCode: String?
    /// Whether every record needs care, for a filter or a joined table.
    private var isLookedAt = false
    private(set) var joinedAttributes: [InputAttribute] = []
    /// Labels of moments, and their attributes.
    var labels: [LabelledAttribute] = []
    /// The regions of the points, and the key of the attribute with their names.
    private(set) var region: (areas: Regions, key: AttributeKey)?
    /// Attributes that every record gets; nil is no value.
    private var given: [(attribute: InputAttribute, value: AttributeValue?)] = []

    init(options: InputOptions, keys: AttributeKeys, input: String, noun: String) {
        self.options = options
        self.keys = keys
        filter = options.filter?.bound(to: keys)
        filtered = Set(options.filter?.attributeNames ?? [])
        blank = RecordLocation(input: input, noun: noun, record: 0)
        use(declared: nil)
        isLookedAt =
            filter != nil || options.join != nil || !options.values.isEmpty
            || !options.labels.isEmpty
        given = options.values.sorted { $0.key < $1.key }
            .map { (attribute(named: $0.key), $0.value) }
        labels = options.labels.map { LabelledAttribute($0, keys) }
        region = options.regions.map { ($0, keys.intern(Regions.attribute)) }
        joinedAttributes = (options.join?.names ?? []).map { attribute(named: $0) }
    }

    /// Whether enough points have been collected to pass them on.
    public var isFull: Bool { batch.count >= 1 << 14 || batch.records.byteCount >= 1 << 20 }

    /// The attribute with a name.
    public mutating func attribute(named name: String) -> InputAttribute {
        if let attribute = attributes[name] { return attribute }
        let attribute = InputAttribute(index: plans.count)
        let plan = AttributePlan(name: name, options: options, filtered: filtered, keys: keys)
        plans.append(plan)
        names.append(name)
        meet(name)
        if plan.isForFilter { filteredOnly.insert(plan.key) }
        if plan.isOverLimit { (hasTooManyNames, isStopped) = (true, true) }
        attributes[name] = attribute
        return attribute
    }

    /// Notes that records have an attribute, or a column that gives their positions.
    mutating func meet(_ name: String) {
        if options.changes(name) || filtered.contains(name) { report.met.insert(name) }
    }

    func name(of attribute: InputAttribute) -> String { names[attribute.index] }

    /// Starts a record; `offset` is its place in the reader's own range of bytes.
    public mutating func begin(at offset: Int = 0) {
        report.records += 1
        stamp += 1
        self.offset = offset
        id = PointTable.noID
        weight = 1
        isRemoval = false
        takesCare = isLookedAt
        if isLookedAt { joinCode = nil }
        if !nulls.isEmpty { nulls.removeAll(keepingCapacity: true) }
    }
}

// MARK: - The end of a record

extension PointBuilder {
    /// Ends the record with a point at these coordinates.
    public mutating func end(x: Double, y: Double) {
        // A point outside of the box is excluded for that, whatever other faults it has.
        guard isInBox(x, y), !takesCare || finishAttributes(), let position = position(x, y) else {
            return turnAway()
        }
        if let region { addRegion(region, at: position) }
        batch.append(position, weight: weight, id: id)
        report.points += 1
        report.kept += 1
    }

    /// Discards the current record.
    mutating func cancel() {
        report.records -= 1
        if takesCare { forgetRecord() }
        batch.discardUnfinished()
    }

    /// Notes something about the input for the user; repeated notes are kept once.
    mutating func note(_ text: String) { report.note("\(blank.input): \(text)") }

    /// Ends a valid record that is not a point, unless the filter excludes it anyway.
    mutating func endWithoutPoint(_ reason: RejectReason, _ problem: String) {
        if finishAttributes() { refuse(reason, problem) }
        turnAway()
    }

    /// Ends the record without a point. `faultOffset` is the offset of the fault, if the reader
    /// knows it more exactly than the start of the record.
    public mutating func reject(
        _ reason: RejectReason, _ problem: String, at faultOffset: Int? = nil
    ) {
        fault = (reason, problem)
        if let faultOffset { offset = faultOffset }
        turnAway()
    }

    mutating func reject(_ fault: (reason: RejectReason, problem: String)) {
        reject(fault.reason, fault.problem)
    }

    mutating func finishAttributes() -> Bool {
        if isRemoval, fault == nil {
            refuse(.noLocation, "takes a point away")
            return false
        }
        for (attribute, value) in given {
            if let value { add(attribute, value) } else { addNothing(attribute) }
        }
        if let join = options.join { addJoined(from: join) }
        if otherID != nil { addOtherID() }
        if !takenBack.isEmpty { removeTakenBack() }
        if filter != nil, fault == nil { applyFilter() }
        if let badWeight, fault == nil {
            refuse(
                .badWeight,
                "has the weight \(Snippet.of(badWeight)); it must be a number above 0 (1e-300 or more)"
            )
        }
        badWeight = nil
        if let oddID, fault == nil { report.oddIDs[oddID, default: 0] += 1 }
        oddID = nil
        if !labels.isEmpty, fault == nil { addLabels() }
        return fault == nil
    }

    mutating func forgetRecord() {
        fault = nil
        otherID = nil
        badWeight = nil
        oddID = nil
        takenBack.removeAll(keepingCapacity: true)
    }

    private mutating func applyFilter() {
        let record = batch.unfinishedRecord
        // Of each piece some records suffice.
        if report.records <= 16 { report.kinds.look(at: record.span, input: blank.input) }
        // A later value replaces a null.
        let nulls = nulls.map { plans[$0.index] }.filter { $0.lastNull == stamp }.map(\.key)
            .filter { $0 != AttributePlan.noKey }
        guard filter?.matches(AttributeRecord(record.span), id: id, nulls: nulls) ?? true else {
            return refuse(.filtered, "does not match the filter")
        }
        guard !filteredOnly.isEmpty else { return }
        batch.removeAttributes { key, _ in filteredOnly.contains(key) }
    }

    mutating func turnAway() {
        guard let (reason, problem) = fault else { return }
        if isRemoval, reason.category == .leftOut { return endRemoval() }
        // A point that is now excluded no longer exists.
        if options.removalMark != nil, reason.category == .leftOut {
            end(with: .leftOut)
        } else {
            forgetRecord()
            batch.discardUnfinished()
        }
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
        if stops, failure == nil {
            failure = rejection
            isStopped = true
        }
    }
}
