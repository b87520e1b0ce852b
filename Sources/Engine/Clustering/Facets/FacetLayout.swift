/// A facet with known values: which count is where in the text that clusters carry.
public struct FacetLayout: Equatable, Sendable {
    public let facet: Facet
    public let axes: [Axis]

    /// The values of an axis, in their order.
    public struct Axis: Equatable, Sendable {
        public var values: [String]
        /// Whether points have them as numbers.
        public var areNumbers = false
        /// The number of other values. Their points share one count, after those of the values.
        public var otherValues = 0
        /// Whether there are points without a value; their count is the last.
        public var hasNone = false

        public init(
            values: [String], areNumbers: Bool = false, otherValues: Int = 0,
            hasNone: Bool = false
        ) {
            self.values = values
            self.areNumbers = areNumbers
            self.otherValues = otherValues
            self.hasNone = hasNone
        }

        public var count: Int { values.count + (otherValues > 0 ? 1 : 0) + (hasNone ? 1 : 0) }
        var other: Int? { otherValues > 0 ? values.count : nil }
        var none: Int? { hasNone ? count - 1 : nil }
    }

    public init(_ facet: Facet, axes: [Axis]) throws(ClusteringError) {
        self.facet = facet
        self.axes = axes
        guard axes.count == facet.axes.count, count <= Facet.mostCounts else {
            throw .badFacet(
                text: facet.name,
                reason:
                    "\(axes.map { "\($0.count)" }.joined(separator: " × ")) values make \(count) counts a "
                    + "cluster, of \(Facet.mostCounts) at most; use fewer breaks or a longer unit of time"
            )
        }
    }

    /// How many counts there are.
    public var count: Int { axes.reduce(1) { $0 * $1.count } }

    /// How many counts belong to one value of the first axis; all if there is one axis only.
    var rowCount: Int { axes[axes.count - 1].count }

    /// For each count, whether its points are without a value of some axis.
    var countsOfMissing: [Bool] {
        axes.reduce([false]) { all, axis in
            all.flatMap { isMissing in (0..<axis.count).map { isMissing || $0 == axis.none } }
        }
    }

    /// The attribute of clusters that carries the counts.
    var aggregate: Aggregate { Aggregate(facet.attribute, .facet(self), of: .facet(self)) }
}

extension FacetLayout {
    /// The counts as a text of numbers of one width. If the last axis is time, they are running totals along it,
    /// so the count of a period is a difference of two.
    func text(of counts: [Int]) -> [UInt8] {
        var counts = counts
        if facet.isRunning {
            for index in counts.indices where index % rowCount != 0 {
                counts[index] += counts[index - 1]
            }
        }
        let width = String(counts.max() ?? 0).utf8.count
        var text = [UInt8](repeating: UInt8(ascii: "0"), count: width * counts.count)
        for (index, count) in counts.enumerated() where count > 0 {
            var (rest, place) = (count, (index + 1) * width - 1)
            while rest > 0 {
                text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
                place -= 1
            }
        }
        return text
    }

    /// The same for sums; nil if one of them has overflowed.
    func text(of sums: [Double]) -> [UInt8]? {
        guard sums.allSatisfy(\.isFinite) else { return nil }
        // Adding 0 makes −0 print as 0.
        let texts = sums.map { ExactText.text(of: $0 + 0) }
        let width = texts.reduce(0) { max($0, $1.utf8.count) }
        return texts.flatMap { text -> [UInt8] in
            let digits = text.drop { $0 == "-" }
            let padding = String(repeating: "0", count: width - text.utf8.count)
            return Array(((text.hasPrefix("-") ? "-" : "") + padding + digits).utf8)
        }
    }
}
