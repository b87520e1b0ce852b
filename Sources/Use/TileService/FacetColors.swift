import ArchiveContract
import JSON

extension MarkerColors {
    /// Colours by the value that most of a cluster's points have; among equals, by the first.
    /// Values past the palette, and points without a value, share a grey.
    init?(largestOf facet: ClusterDescription.Facet) {
        guard facet.hasLargest, let axis = facet.axes.first else { return nil }
        let width: JSONValue = [
            "/", ["length", ["get", .string(facet.attribute)]], .integer(Int64(axis.count)),
        ]
        let counts = (0..<axis.count).map { Self.count(at: $0, of: facet.attribute) }
        let colors = zip(0..<axis.values.count, Self.palette)
        let cases = colors.flatMap { index, color -> [JSONValue] in
            [["==", counts[index], ["var", "most"]], .string(color)]
        }
        ofClusters = [
            "let", "width", width,
            [
                "let", "most", .array(["max"] + counts),
                .array(["case"] + cases + [.string(Self.other)]),
            ],
        ]
        ofPoints = Self.ofPoints(axis)
    }

    /// One of the numbers that are packed into a text, all with the same width.
    private static func count(at index: Int, of attribute: String) -> JSONValue {
        func end(_ index: Int) -> JSONValue { ["*", ["var", "width"], .integer(Int64(index))] }
        return [
            "to-number", ["slice", ["get", .string(attribute)], end(index), end(index + 1)],
        ]
    }

    private static func ofPoints(_ axis: ClusterDescription.Facet.Axis) -> JSONValue {
        let value: JSONValue = ["get", .string(axis.attribute)]
        if let breaks = axis.breaks {
            // Larger numbers than the palette has colours for are grey too.
            let colors = (0...breaks.count).map { $0 < palette.count ? palette[$0] : other }
            let steps = zip(breaks, colors.dropFirst()).flatMap { least, color -> [JSONValue] in
                [JSONValue(canonical: least), .string(color)]
            }
            let stepped = JSONValue.array(
                ["step", ["number", value], .string(colors[0])] + steps)
            return ["case", ["==", ["typeof", value], "number"], stepped, .string(other)]
        }
        let labels = zip(axis.values, palette).filter { !refused.contains($0.0) }
            .flatMap { label, color -> [JSONValue] in [.string(label), .string(color)] }
        if labels.isEmpty { return .string(other) }
        return .array(["match", ["to-string", value]] + labels + [.string(other)])
    }
}

extension ClusterDescription.Facet {
    /// Whether one of its values can be the largest: it counts points by one attribute, which is not a time.
    var hasLargest: Bool {
        sum == nil && axes.count == 1 && axes[0].unit == nil && !axes[0].values.isEmpty
    }
}
