import JSON

/// Something wrong with an archive: what, how often, and where first.
public struct Finding: Equatable, Sendable {
    public enum Severity: String, Comparable, Sendable {
        /// Breaks a specification, or a promise of Covey's archives.
        case error
        /// Legal, but seldom intended.
        case warning

        public static func < (a: Severity, b: Severity) -> Bool { a == .error && b == .warning }
    }

    public let severity: Severity
    /// A short name that does not change, for programs.
    public let code: String
    public let message: String
    public internal(set) var count: Int
    /// The first locations where it was found.
    public internal(set) var locations: [String]

    public var json: JSONValue {
        [
            "severity": .string(severity.rawValue), "code": .string(code),
            "message": .string(message), "count": .integer(Int64(count)),
            "locations": .array(locations.map(JSONValue.string)),
        ]
    }
}

/// Findings, grouped while they come in.
public struct FindingList: Sendable {
    private var found: [Finding] = []
    private var numbers: [String: Int] = [:]

    package init() {}

    /// The most locations that are kept for each finding, and the most different findings.
    static let mostLocations = 5
    static let mostFindings = 1_000

    /// All findings, errors first, otherwise in the order in which they were found.
    public var all: [Finding] {
        found.filter { $0.severity == .error } + found.filter { $0.severity == .warning }
    }

    var isEmpty: Bool { found.isEmpty }
    public var hasErrors: Bool { found.contains { $0.severity == .error } }

    package mutating func add(
        _ severity: Finding.Severity, _ code: String, _ message: String, at location: String? = nil,
        count: Int = 1
    ) {
        let locations = location.map { [$0] } ?? []
        add(
            Finding(
                severity: severity, code: code, message: message, count: count, locations: locations
            ))
    }

    package mutating func merge(_ other: FindingList, times: Int = 1) {
        for var finding in other.found {
            finding.count *= times
            add(finding)
        }
    }

    private mutating func add(_ finding: Finding) {
        let key = "\(finding.code) \(finding.message)"
        if let number = numbers[key] {
            found[number].count += finding.count
            let room = Self.mostLocations - found[number].locations.count
            found[number].locations += finding.locations.prefix(room)
        } else if found.count < Self.mostFindings {
            numbers[key] = found.count
            found.append(finding)
        }
    }
}
