/// The numbers of records by result: those read are always the sum of kept and rejected ones.
public struct InputReport: Equatable, Sendable {
    /// All records that were read.
    public internal(set) var records = 0
    /// Records that became points.
    public internal(set) var kept = 0
    /// The number of points from them: a MultiPoint is one record and many points.
    public internal(set) var points = 0
    /// The number of rejected records, by reason.
    public internal(set) var rejected: [RejectReason: Int] = [:]
    /// The first few rejections for each reason, with their locations.
    public internal(set) var samples: [Rejection] = []
    /// Points removed as duplicates.
    public var duplicates = 0
    /// The attributes of the input among those to exclude or to convert and those of the filter.
    public internal(set) var met: Set<String> = []
    /// Records without a matching row in the joined table.
    var unjoined = 0
    /// Records whose value for an id is none that a tile can hold, by what becomes of it.
    var oddIDs: [OddID: Int] = [:]
    /// The numbers that were taken for moments, by attribute.
    var moments: [String: NumbersSeen] = [:]
    /// Points that had an attribute with the name of a region or label, which replaced it.
    var givenWay: [String: Int] = [:]
    /// The number of points in each region, then those outside of all; empty without regions.
    var regionCounts: [Int] = []
    /// The same by the regions' names, over all inputs.
    public internal(set) var regions: RegionTally?
    /// The rings of areas, if those are read.
    var outlines: [[[FixedPlace]]] = []
    /// The kinds of attributes' values, by the first ones.
    var kinds = AttributeKinds()
    /// The attributes that are of other kinds in changes than among the points that they change.
    public internal(set) var kindChanges: [String] = []
    /// Other notes for the user, each once: values or records that were left out without being
    /// invalid.
    public internal(set) var notes: [String] = []

    public init() {}

    /// A report restored from a file, without the records' locations.
    public init(
        records: Int, kept: Int, points: Int, rejected: [RejectReason: Int], notes: [String],
        regions: RegionTally? = nil
    ) {
        self.regions = regions
        self.records = records
        self.kept = kept
        self.points = points
        self.rejected = rejected
        self.notes = notes
    }

    /// The number of samples kept for each reason.
    static let sampleLimit = 3

    /// The number of records rejected as invalid.
    public var invalidCount: Int {
        rejected.reduce(0) { $1.key.category == .invalid ? $0 + $1.value : $0 }
    }

    /// The results in a sentence, for a user who misses points.
    public var account: String {
        let reasons = RejectReason.allCases.compactMap { reason in
            rejected[reason].map { "\($0) \(reason.phrase)" }
        }
        let noun = samples.first?.location.noun ?? "record"
        var account = "read \(records) \(noun)\(records == 1 ? "" : "s")"
        if !reasons.isEmpty { account += ": \(reasons.joined(separator: ", "))" }
        if let sample = samples.first { account += "; the first: \(sample)" }
        return account
    }

    /// The number of all rejected records.
    public var rejectedCount: Int { rejected.values.reduce(0, +) }
}

extension InputReport {
    mutating func count(_ rejection: Rejection) {
        rejected[rejection.reason, default: 0] += 1
        addSample(rejection)
    }

    mutating func addSample(_ rejection: Rejection) {
        let alike = samples.count { $0.reason == rejection.reason }
        if alike < Self.sampleLimit { samples.append(rejection) }
    }

    /// Counts a point in a region, or outside of all.
    mutating func countRegion(_ region: Int?, of count: Int) {
        if regionCounts.isEmpty { regionCounts = [Int](repeating: 0, count: count + 1) }
        regionCounts[region ?? count] += 1
    }

    /// Assigns names to the counts of regions.
    mutating func nameRegions(_ names: [String]) {
        let outside = regionCounts.last ?? 0
        let counts = regionCounts.dropLast() + [Int](repeating: 0, count: names.count)
        regions = RegionTally(
            regions: Dictionary(zip(names, counts)) { first, _ in first }, outside: outside)
        regionCounts = []
    }

    public mutating func note(_ note: String) {
        if !notes.contains(note) { notes.append(note) }
    }

    /// Adds the report of a later part of the same input, whose locations count from its start.
    mutating func add(_ later: InputReport) {
        records += later.records
        kept += later.kept
        points += later.points
        duplicates += later.duplicates
        met.formUnion(later.met)
        kinds.add(later.kinds)
        kindChanges += later.kindChanges
        for (name, numbers) in later.moments {
            moments[name, default: NumbersSeen()].add(numbers)
        }
        unjoined += later.unjoined
        oddIDs.merge(later.oddIDs, uniquingKeysWith: +)
        givenWay.merge(later.givenWay, uniquingKeysWith: +)
        outlines += later.outlines
        regions = RegionTally.sum(regions, later.regions)
        if regionCounts.isEmpty {
            regionCounts = later.regionCounts
        } else {
            for (index, count) in later.regionCounts.enumerated() { regionCounts[index] += count }
        }
        rejected.merge(later.rejected, uniquingKeysWith: +)
        for sample in later.samples { addSample(sample) }
        for note in later.notes { self.note(note) }
    }
}
