import ArchiveContract
import JSON

/// The counts at which the sizes and colours of clusters change, by zoom.
package struct CountSteps: Equatable, Sendable {
    /// The size of a cluster in each class, as a share of the largest.
    static let shares = [0.56, 0.7, 0.85, 1.0]
    /// Colours on which white text is readable (contrast of 5 and more).
    static let colors = ["#2b7a78", "#2f6396", "#4a4a9c", "#7a2f7d"]
    /// The colours for archives of several layers, one hue for each.
    static let hues = [
        ["#3b74a8", "#2f6396", "#24507c", "#193c61"], ["#b0591c", "#964914", "#7a3a0f", "#5f2c0a"],
        ["#2b7a4b", "#22673e", "#1a5331", "#124024"], ["#6a58b0", "#5b4a9c", "#493a80", "#372b63"],
        ["#a8386a", "#8f2d56", "#742345", "#591a34"], ["#75661a", "#625510", "#4e430b", "#3b3207"],
    ]
    /// The share of clusters below each step.
    private static let quantiles = [0.5, 0.8, 0.95]

    /// By zoom, ascending: the counts at which the next class begins.
    package let stepsByZoom: [(zoom: Int, counts: [Int])]
    package let largest: Int

    package static func == (a: CountSteps, b: CountSteps) -> Bool {
        a.largest == b.largest
            && a.stepsByZoom.elementsEqual(b.stepsByZoom) {
                $0.zoom == $1.zoom && $0.counts == $1.counts
            }
    }

    /// Steps from the counts that were seen at some zooms; nil if there were none.
    package init?(countsByZoom: [Int: [Int]]) {
        guard let largest = countsByZoom.values.compactMap({ $0.max() }).max() else { return nil }
        self.largest = largest
        var steps: [(zoom: Int, counts: [Int])] = []
        for (zoom, counts) in countsByZoom.sorted(by: { $0.key < $1.key }) where !counts.isEmpty {
            let found = Self.steps(in: counts.sorted())
            if steps.last?.counts != found { steps.append((zoom, found)) }
        }
        stepsByZoom = steps
    }

    /// The quantiles, rounded, each larger than the one before.
    private static func steps(in sorted: [Int]) -> [Int] {
        var steps: [Int] = []
        for quantile in quantiles {
            let index = min(Int(Double(sorted.count) * quantile), sorted.count - 1)
            let count = rounded(sorted[index])
            steps.append(max(count, (steps.last ?? 2) + 1))
        }
        return steps
    }

    /// The number rounded to two digits: 1,234 is 1,200.
    private static func rounded(_ count: Int) -> Int {
        var unit = 1
        while count / unit >= 100 { unit *= 10 }
        return count / unit * unit
    }

    /// The number of points, as an expression.
    static var count: JSONValue { ["get", .string(ClusterAttribute.pointCount.name)] }

    /// Heights by count: that of the largest class is a tenth of a tile's width at every zoom.
    func heights(upTo last: Int) -> JSONValue {
        let stops = (0...last).flatMap { zoom -> [JSONValue] in
            let highest = 4_007_501.7 / Double(UInt64(1) << UInt64(zoom))
            let counts = stepsByZoom.last { $0.zoom <= zoom }?.counts ?? stepsByZoom[0].counts
            let values = [0.06, 0.25, 0.5, 1].map { JSONValue.number(($0 * highest).rounded()) }
            return [.integer(Int64(zoom)), Self.byCount(counts, values)]
        }
        return .array(["interpolate", ["exponential", 0.5], ["zoom"]] + stops)
    }

    /// An expression with one value for each class.
    package func expression(_ values: [JSONValue]) -> JSONValue {
        guard stepsByZoom.count > 1 else { return Self.byCount(stepsByZoom[0].counts, values) }
        var parts: [JSONValue] = [
            "step", ["zoom"], Self.byCount(stepsByZoom[0].counts, values),
        ]
        for step in stepsByZoom.dropFirst() {
            parts += [.integer(Int64(step.zoom)), Self.byCount(step.counts, values)]
        }
        return .array(parts)
    }

    private static func byCount(_ counts: [Int], _ values: [JSONValue]) -> JSONValue {
        var parts: [JSONValue] = ["step", count, values[0]]
        for (count, value) in zip(counts, values.dropFirst()) {
            parts += [.integer(Int64(count)), value]
        }
        return .array(parts)
    }
}
