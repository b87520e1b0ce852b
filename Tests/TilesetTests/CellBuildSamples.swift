import JSON
import TestSupport

/// Points and options at random.
extension CellBuildTests {
    static func weighted(_ points: [SamplePoint]) -> [SamplePoint] {
        points.enumerated().map { index, point in
            var point = point
            point.properties.append(("w", .number(0.5 * Double(1 + index % 7))))
            return point
        }
    }

    /// The same points, some of them brought to the places of others.
    static func paired(_ points: [SamplePoint], using random: inout SeededRandom) -> [SamplePoint] {
        var points = points
        for index in points.indices where random.next() % 4 == 0 {
            points[index].place = points[Int(random.next() % UInt64(points.count))].place
        }
        return points
    }

    static func settings(using random: inout SeededRandom) -> JSONValue {
        var clusters: JSONObject = [
            "radius": .integer([20, 40, 80].randomElement(using: &random)!),
            "algorithm": .string(["spaced", "spaced", "greedy"].randomElement(using: &random)!),
        ]
        if Bool.random(using: &random) {
            clusters["aggregates"] = [
                "sum": "sum:n", "kinds": "distinct:kind", "by": "histogram:kind", "m": "median:n",
            ]
        }
        if Bool.random(using: &random) { clusters["inherit"] = ["kind"] }
        if Bool.random(using: &random) { clusters["facets"] = ["kind*n:20,50", "kind=sum:n"] }
        if Int.random(in: 0..<3, using: &random) == 0 { clusters["weight"] = "w" }
        if Int.random(in: 0..<3, using: &random) == 0 { clusters["groupBy"] = "kind" }
        if Bool.random(using: &random) {
            clusters["fields"] = [
                "point_weight", "sqrt_point_count", "bbox", "unique_location",
            ]
        }
        if Int.random(in: 0..<3, using: &random) == 0 { clusters["wrap"] = false }
        if Int.random(in: 0..<2, using: &random) == 0 {
            clusters["minPoints"] = .integer(Int64.random(in: 3...5, using: &random))
        }
        if Int.random(in: 0..<3, using: &random) == 0 { clusters["position"] = "anchor" }
        return ["clusters": .object(clusters)]
    }
}
