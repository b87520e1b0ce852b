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
    /// - Parameter countsByZoom: the counts, each with how many others it stands for.
    init?(countsByZoom: [Int: [(count: Int, share: Double)]]) {
        guard let largest = countsByZoom.values.joined().map(\.count).max() else { return nil }
        self.largest = largest
        var steps: [(zoom: Int, counts: [Int])] = []
        for (zoom, counts) in countsByZoom.sorted(by: { $0.key < $1.key }) where !counts.isEmpty {
            let found = Self.steps(in: counts.sorted { $0.count < $1.count })
            if steps.last?.counts != found { steps.append((zoom, found)) }
        }
        stepsByZoom = steps
    }

    /// The quantiles, rounded, each larger than the one before.
    private static func steps(in sorted: [(count: Int, share: Double)]) -> [Int] {
        let total = sorted.reduce(0) { $0 + $1.share }
        var steps: [Int] = []
        var (index, passed) = (0, sorted[0].share)
        for quantile in quantiles {
            while passed <= quantile * total, index < sorted.count - 1 {
                index += 1
                passed += sorted[index].share
            }
            steps.append(max(rounded(sorted[index].count), (steps.last ?? 2) + 1))
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
            let values = [0.06, 0.25, 0.5, 1].map { JSONValue.number(($0 * highest).rounded()) }
            return [.integer(Int64(zoom)), byCount(at: zoom, values)]
        }
        return .array(["interpolate", ["exponential", 0.5], ["zoom"]] + stops)
    }

    /// An expression with one value for each class.
    /// - Parameters:
    ///   - zooms: where the values change.
    ///   - values: the values of the classes at a zoom.
    func expression(
        changingAt zooms: [Int] = [], _ values: (_ zoom: Int) -> [JSONValue]
    ) -> JSONValue {
        var stops: [(zoom: Int, value: JSONValue)] = []
        for zoom in Set(stepsByZoom.map(\.zoom) + zooms).sorted() {
            let value = byCount(at: zoom, values(zoom))
            if stops.last?.value != value { stops.append((zoom, value)) }
        }
        guard stops.count > 1 else { return stops[0].value }
        return .array(
            ["step", ["zoom"], stops[0].value]
                + stops.dropFirst().flatMap { [.integer(Int64($0.zoom)), $0.value] })
    }

    private func byCount(at zoom: Int, _ values: [JSONValue]) -> JSONValue {
        let counts = (stepsByZoom.last { $0.zoom <= zoom } ?? stepsByZoom[0]).counts
        var parts: [JSONValue] = ["step", Self.count, values[0]]
        for (count, value) in zip(counts, values.dropFirst()) {
            parts += [.integer(Int64(count)), value]
        }
        return .array(parts)
    }
}
