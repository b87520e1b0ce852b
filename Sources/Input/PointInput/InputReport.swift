/// What became of the records: read = kept + counted out, always.
public struct InputReport: Equatable, Sendable {
    /// Records that were read, whatever became of them.
    public internal(set) var records = 0
    /// Records that became points.
    public internal(set) var kept = 0
    /// Points that they became: a MultiPoint is one record and many points.
    public internal(set) var points = 0
    /// Records counted out, by reason.
    public internal(set) var rejected: [RejectReason: Int] = [:]
    /// The first few of each reason, with their locations.
    public internal(set) var samples: [Rejection] = []
    /// Points that were left out because they are the same as others.
    public var duplicates = 0
    /// Records that the table to be joined has no row for.
    var unjoined = 0
    /// Points with an attribute of a name that a region or a label has, which that replaced.
    var givenWay: [String: Int] = [:]
    /// Points in each region, by its number, and then those outside of all; empty where there are no regions.
    var regionCounts: [Int] = []
    /// The same with the regions' names, of all inputs.
    public internal(set) var regions: RegionTally?
    /// The rings of areas, where those are read.
    var outlines: [[[FixedPlace]]] = []
    /// What else the user should know, each thing once: values or records that were left out
    /// without a fault of theirs.
    public internal(set) var notes: [String] = []

    public init() {}

    /// A report that was written down; where records were met is not.
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

    /// How many samples of one reason are kept.
    static let sampleLimit = 3

    /// All that were counted out because they aren't valid.
    public var invalidCount: Int {
        rejected.reduce(0) { $1.key.category == .invalid ? $0 + $1.value : $0 }
    }

    /// What became of the records, in a sentence, for who wonders where the points are.
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

    /// All that were counted out.
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

    /// Gives the counts of regions their names.
    mutating func nameRegions(_ names: [String]) {
        let outside = regionCounts.last ?? 0
        let counts = regionCounts.dropLast() + [Int](repeating: 0, count: names.count)
        regions = RegionTally(
            regions: Dictionary(zip(names, counts)) { first, _ in first }, outside: outside)
        regionCounts = []
    }

    mutating func note(_ note: String) {
        if !notes.contains(note) { notes.append(note) }
    }

    /// Adds what a later stretch of the same input reports, whose locations count from its start.
    mutating func add(_ later: InputReport) {
        records += later.records
        kept += later.kept
        points += later.points
        duplicates += later.duplicates
        unjoined += later.unjoined
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
