import Expressions
import Geometry
import Points
import Projections

/// Where every record of every format passes: it checks coordinates, turns attributes into what the
/// options ask for, and counts and locates what it turns away.
///
/// A record is `begin`, any number of `add`s and `setID`, then `end` with its position, or `reject`.
/// Builders of one input work side by side, each on its own stretch; their pieces are put together
/// in order by the collector.
public struct PointBuilder {
    let options: InputOptions
    let keys: AttributeKeys
    /// The meaning of coordinates: what the input itself declares, or the options.
    public internal(set) var crs = CoordinateSystem.lonLat
    /// The way from there to degrees, if that is PROJ's; made when it is first needed.
    var projection: Projection?
    /// Those made so far: geometries of one input may name several systems in turn.
    var projections: [CoordinateSystem: Projection] = [:]
    /// Whether a point of the piece at hand is far from where its system is meant to be used.
    var isFarOut = false
    let blank: RecordLocation
    let filter: BoundExpression?

    var batch = PointBatch()
    /// How many points of the batch are projected; the others still have the input's coordinates.
    var projectedCount = 0
    var report = InputReport()
    var failure: Rejection?
    /// Whether a record was met that ends the run; no more need be read.
    public internal(set) var isStopped = false

    var plans: [AttributePlan] = []
    var names: [String] = []
    private var attributes: [String: InputAttribute] = [:]
    /// The names that the filter asks for, and the keys of those that points do not keep.
    private let filtered: Set<String>
    private var filteredOnly: Set<AttributeKey> = []
    /// Whether the input has more names of attributes than may be.
    var hasTooManyNames = false

    // The record at hand.
    var stamp = 0
    var offset = 0
    var id = PointTable.noID
    /// Whether any of those below is set, or there is a filter: of most records that is all to ask.
    var takesCare = false
    var otherID: AttributeValue?
    var weight = 1.0
    /// Attributes that it had without a value; only a filter tells these from missing ones.
    var nulls: [InputAttribute] = []
    /// Where values of attributes end that later ones of the same record take back.
    var takenBack: [AttributeKey: Int] = [:]
    /// A weight that can't be used, as it is spelled; whether that matters is up to the filter.
    var badWeight: String?
    var fault: (reason: RejectReason, problem: String)?
    /// Whether it takes a point away.
    var isRemoval = false
    /// What it is looked up by in the table to be joined, and the attributes that it gets from there.
    var joinCode: String?
    /// Whether every record is, for a filter or for a table to be joined.
    private var isLookedAt = false
    private(set) var joinedAttributes: [InputAttribute] = []
    /// Labels of moments, and where they come from.
    var labels: [LabelledAttribute] = []
    /// The regions that points lie in.
    private(set) var region: RegionAttribute?
    /// What every record gets.
    private var given: [(attribute: InputAttribute, value: AttributeValue)] = []

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
        region = options.regions.map { RegionAttribute($0, keys) }
        joinedAttributes = (options.join?.names ?? []).map { attribute(named: $0) }
    }

    /// Whether enough has gathered to hand it on.
    public var isFull: Bool { batch.count >= 1 << 14 || batch.records.byteCount >= 1 << 20 }

    /// The attribute of that name.
    public mutating func attribute(named name: String) -> InputAttribute {
        if let attribute = attributes[name] { return attribute }
        let attribute = InputAttribute(index: plans.count)
        let plan = AttributePlan(name: name, options: options, filtered: filtered, keys: keys)
        plans.append(plan)
        names.append(name)
        if plan.isForFilter { filteredOnly.insert(plan.key) }
        if plan.isOverLimit { (hasTooManyNames, isStopped) = (true, true) }
        attributes[name] = attribute
        return attribute
    }

    func name(of attribute: InputAttribute) -> String { names[attribute.index] }

    /// Starts a record; `offset` is where it stands in the reader's own stretch of bytes.
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
    /// Ends the record: a point at those coordinates.
    public mutating func end(x: Double, y: Double) {
        // What lies outside of a box is left out for that, whatever else is to be said of it.
        guard isInBox(x, y), !takesCare || finishAttributes(), let position = position(x, y) else {
            return turnAway()
        }
        if let region { addRegion(region, at: position) }
        batch.append(position, weight: weight, id: id)
        report.points += 1
        report.kept += 1
    }

    /// Forgets that a record began.
    mutating func cancel() {
        report.records -= 1
        if takesCare { forgetRecord() }
        batch.discardUnfinished()
    }

    /// Counts records out that are not read.
    mutating func leaveOut(_ count: Int, _ reason: RejectReason) {
        guard count > 0 else { return }
        report.records += count
        report.rejected[reason, default: 0] += count
    }

    /// Tells the user something about the input; told again, it is still told once.
    mutating func note(_ text: String) { report.note("\(blank.input): \(text)") }

    /// Ends a record that is well-formed and yet no point, unless the filter leaves it out anyway.
    mutating func endWithoutPoint(_ reason: RejectReason, _ problem: String) {
        if finishAttributes() { refuse(reason, problem) }
        turnAway()
    }

    /// Ends the record without a point. `faultOffset` is that of the fault, if the reader knows it
    /// better than where the record began.
    public mutating func reject(
        _ reason: RejectReason, _ problem: String, at faultOffset: Int? = nil
    ) {
        fault = (reason, problem)
        if let faultOffset { offset = faultOffset }
        turnAway()
    }

    mutating func finishAttributes() -> Bool {
        if isRemoval, fault == nil {
            refuse(.noLocation, "takes a point away")
            return false
        }
        for (attribute, value) in given { add(attribute, value) }
        if let join = options.join { addJoined(from: join) }
        if otherID != nil { addOtherID() }
        if !takenBack.isEmpty { removeTakenBack() }
        if filter != nil, fault == nil { applyFilter() }
        if let badWeight, fault == nil {
            refuse(
                .badWeight,
                "has the weight \(Snippet.of(badWeight)); it must be a number above 0")
        }
        badWeight = nil
        if !labels.isEmpty, fault == nil { addLabels() }
        return fault == nil
    }

    mutating func forgetRecord() {
        fault = nil
        otherID = nil
        badWeight = nil
        takenBack.removeAll(keepingCapacity: true)
    }

    private mutating func applyFilter() {
        let record = batch.unfinishedRecord
        // A value that came later takes a null back.
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
        // A point that has become one to be left out is not there any more.
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
