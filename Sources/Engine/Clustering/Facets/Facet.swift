import JSON
import Points

/// A breakdown of each cluster's points by their values: `kind`, `price:0,50,100`, `date:month`,
/// `kind*date:month`, `kind=sum:value`.
public struct Facet: Equatable, Sendable {
    /// One axis, or two that are crossed; moments come last.
    public let axes: [Axis]
    /// The attribute that is summed up instead of counting points.
    public let sum: String?
    /// The facet as it was written, with moments last.
    public let name: String

    public struct Axis: Equatable, Sendable {
        /// The attribute of points.
        public let attribute: String
        public let kind: Kind
        public let name: String

        /// The attribute in which points carry the value. Labels of moments stand beside the moments.
        public var carriedBy: String {
            if case .date = kind { name } else { attribute }
        }
    }

    public enum Kind: Equatable, Sendable {
        /// Each value by itself.
        case values
        /// Numbers, by the ranges between these.
        case breaks([Double])
        /// Moments, by the labels that they got when they were read.
        case date(DateUnit)
    }

    /// The most values that an axis keeps; all others count as one.
    public static let mostValues = 64
    /// The most counts that a cluster may have.
    public static let mostCounts = 1_024

    /// The attribute of clusters that carries the facet.
    public var attribute: String { "#" + name }

    /// Whether counts along the last axis are running totals.
    public var isRunning: Bool {
        if sum == nil, case .date = axes[axes.count - 1].kind { true } else { false }
    }

    public init(parsing text: String) throws(ClusteringError) {
        var rest = Substring(text)
        var sum: String?
        if let sign = text.firstRange(of: "=sum:") {
            rest = text[..<sign.lowerBound]
            sum = String(text[sign.upperBound...])
        }
        var axes: [Axis] = []
        for part in rest.split(separator: "*", omittingEmptySubsequences: false) {
            axes.append(try Axis(String(part), of: text))
        }
        guard (1...2).contains(axes.count), sum != "" else {
            throw .badFacet(
                text: text,
                reason: "write ATTR or ATTR:HOW, or two of them joined by *; =sum:ATTR may follow")
        }
        if axes.count == 2, axes[0].isDate, !axes[1].isDate { axes.reverse() }
        self.axes = axes
        self.sum = sum
        name = axes.map(\.name).joined(separator: "*") + (sum.map { "=sum:" + $0 } ?? "")
    }

    public static func == (a: Facet, b: Facet) -> Bool { a.name == b.name }
}

extension Facet.Axis {
    var isDate: Bool { if case .date = kind { true } else { false } }

    /// Reads one axis. The text after the last colon is a unit or breaks; any other text belongs to the name.
    fileprivate init(_ text: String, of whole: String) throws(ClusteringError) {
        name = text
        guard !text.isEmpty else {
            throw .badFacet(text: whole, reason: "the attribute's name is missing")
        }
        guard let colon = text.lastIndex(of: ":"), colon != text.startIndex else {
            (attribute, kind) = (text, .values)
            return
        }
        let how = text[text.index(after: colon)...]
        if let unit = DateUnit(rawValue: String(how)) {
            (attribute, kind) = (String(text[..<colon]), .date(unit))
            return
        }
        let parts = how.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard numbers.count == parts.count else {
            (attribute, kind) = (text, .values)
            return
        }
        let ascend = zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
        guard ascend, numbers.allSatisfy(\.isFinite), numbers.count < Facet.mostValues else {
            throw .badFacet(
                text: whole,
                reason: "breaks must be fewer than \(Facet.mostValues) ascending numbers")
        }
        (attribute, kind) = (String(text[..<colon]), .breaks(numbers))
    }
}
