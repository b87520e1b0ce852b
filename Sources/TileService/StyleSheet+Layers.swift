import ArchiveContract
import JSON

extension StyleSheet.Layer {
    /// What a layer of the style is for.
    private enum Role: String {
        case heat, clusters, counts, points, raw
    }

    /// - Parameter font: what counts are written in; nil where there are no glyphs.
    func styleLayers(writtenIn font: String?) -> [JSONValue] {
        guard let steps else { return raw(isVisible: true) }
        return [heat(steps), points, clusters(steps), counts(writtenIn: font)]
            + raw(isVisible: false)
    }

    private static var isCluster: JSONValue { ["has", .string(ClusterAttribute.pointCount.name)] }

    private func clusters(_ steps: CountSteps) -> JSONValue {
        // Two neighbours of the largest size just touch.
        let largest = min(max(spacing / 2, 10), 36)
        let sizes = CountSteps.shares.map { JSONValue.number((largest * $0).rounded()) }
        let byCount = steps.expression((hue ?? CountSteps.colors).map(JSONValue.string))
        return layer(
            .clusters, "circle", filter: Self.isCluster,
            paint: [
                "circle-radius": steps.expression(sizes),
                "circle-color": category?.clusterExpression ?? byCount,
                "circle-stroke-color": "#ffffff", "circle-stroke-width": 1.5,
                "circle-stroke-opacity": 0.9,
            ])
    }

    private func counts(writtenIn font: String?) -> JSONValue {
        let count: JSONValue =
            hasShortCounts
            ? ["get", .string(ClusterAttribute.pointCountAbbreviated.name)]
            : ["to-string", CountSteps.count]
        let layout: JSONValue =
            if let font {
                [
                    "text-field": count, "text-font": [.string(font)], "text-size": 12,
                    "text-allow-overlap": true, "text-ignore-placement": true,
                ]
            } else {
                [
                    "icon-image": ["concat", "covey-count:", count], "icon-allow-overlap": true,
                    "icon-ignore-placement": true,
                ]
            }
        return layer(
            .counts, "symbol", filter: Self.isCluster, layout: layout,
            paint: font == nil ? [:] : ["text-color": "#ffffff"])
    }

    private var points: JSONValue {
        layer(
            .points, "circle", filter: ["!", Self.isCluster],
            paint: [
                "circle-radius": ["interpolate", ["linear"], ["zoom"], 0, 3.5, 14, 6],
                "circle-color": category?.pointExpression ?? .string(hue?[0] ?? "#c2571a"),
                "circle-stroke-color": "#ffffff", "circle-stroke-width": 1.5,
            ])
    }

    /// Weights grow with the logarithm of the count: a cluster of a million would outshine all else.
    private func heat(_ steps: CountSteps) -> JSONValue {
        let most = max(steps.largest, 3)
        return layer(
            .heat, "heatmap",
            paint: [
                "heatmap-weight": [
                    "interpolate", ["linear"], ["ln", ["coalesce", CountSteps.count, 1]],
                    0, 0.1, .number((most.logarithm * 100).rounded() / 100), 1,
                ],
                // A point alone comes to 0.4 of its weight at most, so none would ever be hot. Deeper
                // down clusters are small, but what is dense there should show it too.
                "heatmap-intensity": ["interpolate", ["linear"], ["zoom"], 0, 2, 14, 5],
                // Beyond its neighbours, or there would be dots.
                "heatmap-radius": .number((1.5 * spacing).rounded()),
                "heatmap-opacity": 0.85,
                "heatmap-color": [
                    "interpolate", ["linear"], ["heatmap-density"],
                    0, "rgba(40,90,140,0)", 0.2, "rgba(58,122,168,0.55)", 0.5, "#6fa86b",
                    0.75, "#e3b23c", 1, "#c2452d",
                ],
            ], isVisible: false)
    }

    /// Every feature as it is, whatever its shape.
    private func raw(isVisible: Bool) -> [JSONValue] {
        [
            layer(
                .raw, "fill", part: "areas", filter: Self.hasShape("Polygon"),
                paint: ["fill-color": "#3a7aa8", "fill-opacity": 0.25], isVisible: isVisible),
            layer(
                .raw, "line", part: "lines", filter: ["!", Self.hasShape("Point")],
                paint: ["line-color": "#2c5a80", "line-width": 1], isVisible: isVisible),
            layer(
                .raw, "circle", part: "points", filter: Self.hasShape("Point"),
                paint: [
                    "circle-radius": 3, "circle-color": "#0f766e", "circle-opacity": 0.75,
                ], isVisible: isVisible),
        ]
    }

    private static func hasShape(_ shape: String) -> JSONValue {
        ["==", ["geometry-type"], .string(shape)]
    }

    private func layer(
        _ role: Role, _ type: JSONValue, part: String? = nil, filter: JSONValue? = nil,
        layout: JSONValue = [:], paint: JSONValue, isVisible: Bool = true
    ) -> JSONValue {
        var layout = layout.asObject ?? JSONObject()
        if !isVisible { layout["visibility"] = "none" }
        var object = JSONObject()
        object["id"] = .string("\(source)/\(name)-\(role.rawValue)" + (part.map { "-" + $0 } ?? ""))
        object["type"] = type
        object["source"] = .string(source)
        object["source-layer"] = .string(name)
        object["metadata"] = ["covey:role": .string(role.rawValue)]
        object["filter"] = filter
        if layout.count > 0 { object["layout"] = .object(layout) }
        object["paint"] = paint
        return .object(object)
    }
}
