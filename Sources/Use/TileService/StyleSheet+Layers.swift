import ArchiveContract
import JSON

extension StyleSheet.Layer {
    /// The purpose of a layer of the style.
    private enum Role: String {
        case heat, bins, legs, clusters, counts, points, raw
    }

    /// - Parameter font: the font of counts; nil if there are no glyphs.
    func styleLayers(writtenIn font: String?, _ look: StyleSheet.Look) -> [JSONValue] {
        let facet = facets.first { $0.name == look.facet }
        let colors = facet.flatMap { MarkerColors(largestOf: $0) } ?? self.colors
        guard let steps else {
            guard let bins else { return legLayers + raw(isVisible: true) }
            return [layer(of: bins, look.bins ?? .color, isVisible: true)]
                + below(bins, legLayers + [points(colors)]) + raw(isVisible: false)
        }
        let nodes =
            legLayers + [
                points(colors), clusters(steps, colors),
                counts(
                    writtenIn: font, shortenedBy: look.letters,
                    over: colors?.ofClusters ?? byCount(steps)),
            ]
        return heatLayers
            + (bins.map { [layer(of: $0, look.bins ?? .color, isVisible: look.bins != nil)] } ?? [])
            + (look.bins == nil ? nodes : below(bins, nodes)) + raw(isVisible: false)
    }

    /// The same layers, from the first zoom without bins on.
    private func below(_ bins: StyleSheet.BinLayer?, _ layers: [JSONValue]) -> [JSONValue] {
        guard let bins else { return layers }
        return layers.map { layer in
            var object = layer.asObject ?? JSONObject()
            object["minzoom"] = .integer(Int64(bins.maxZoom + 1))
            return .object(object)
        }
    }

    /// A layer of bins, coloured by the number of points in four classes for each zoom.
    private func layer(
        of bins: StyleSheet.BinLayer, _ look: StyleSheet.BinLook, isVisible: Bool
    ) -> JSONValue {
        let colors = byCount(bins.steps)
        let strongest = (hue ?? CountSteps.colors)[3]
        let paint: JSONValue =
            switch look {
            case .color: ["fill-color": colors, "fill-opacity": 0.7]
            case .opacity:
                [
                    "fill-color": .string(strongest),
                    "fill-opacity": bins.steps.expression { _ in [0.15, 0.35, 0.6, 0.85] },
                ]
            case .height:
                [
                    "fill-extrusion-color": colors, "fill-extrusion-opacity": 0.85,
                    "fill-extrusion-height": bins.steps.heights(upTo: bins.maxZoom),
                ]
            }
        return layer(
            .bins, look == .height ? "fill-extrusion" : "fill", of: bins.layer, paint: paint,
            isVisible: isVisible, maxZoom: bins.maxZoom + 1)
    }

    private static var isCluster: JSONValue { ["has", .string(ClusterAttribute.pointCount.name)] }

    /// A colour for each class of counts.
    private func byCount(_ steps: CountSteps) -> JSONValue {
        steps.expression { _ in (hue ?? CountSteps.colors).map(JSONValue.string) }
    }

    private func clusters(_ steps: CountSteps, _ colors: MarkerColors?) -> JSONValue {
        let sizes = steps.expression(changingAt: spacing.stops.map(\.zoom)) { zoom in
            // The largest size, at which two neighbours just touch.
            let largest = min(max(spacing.pixels(at: zoom) / 2, 10), 36)
            return CountSteps.shares.map { .number((largest * $0).rounded()) }
        }
        return layer(
            .clusters, "circle", filter: Self.isCluster,
            paint: [
                "circle-radius": sizes, "circle-color": colors?.ofClusters ?? byCount(steps),
                "circle-stroke-color": "#ffffff", "circle-stroke-width": 1.5,
                "circle-opacity": whileTogether(1), "circle-stroke-opacity": whileTogether(0.9),
            ])
    }

    /// An opacity that ends where a cluster comes apart: maps show a tile of the previous zoom
    /// until all tiles below it are there, and its clusters would cover their own parts.
    ///
    /// A step over the zoom would be evaluated when a tile is loaded, but an interpolation is evaluated for
    /// each picture: with so steep a curve, the value stays the same until just before the next zoom.
    private func whileTogether(_ opacity: JSONValue) -> JSONValue {
        guard zooms.count > 1 else { return opacity }
        let stops = zooms.dropFirst().flatMap { zoom -> [JSONValue] in
            let isTogether: JSONValue = [
                ">", ["get", .string(ClusterAttribute.expansionZoom.name)], .integer(Int64(zoom)),
            ]
            return [.integer(Int64(zoom)), ["case", isTogether, opacity, 0]]
        }
        return .array(
            ["interpolate", ["exponential", 1e15], ["zoom"]]
                + [.integer(Int64(zooms.lowerBound)), opacity] + stops)
    }

    private func counts(
        writtenIn font: String?, shortenedBy letters: CountLetters?, over color: JSONValue
    ) -> JSONValue {
        let count: JSONValue =
            letters?.expression(of: CountSteps.count)
            ?? (hasShortCounts
                ? ["get", .string(ClusterAttribute.pointCountAbbreviated.name)]
                : ["to-string", CountSteps.count])
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
            paint: font == nil
                ? ["icon-opacity": whileTogether(1)]
                : [
                    "text-color": "#ffffff", "text-opacity": whileTogether(1),
                    // Seen where a number is wider than its circle.
                    "text-halo-color": color, "text-halo-width": 1.5,
                ])
    }

    private func points(_ colors: MarkerColors?) -> JSONValue {
        layer(
            .points, "circle", filter: ["!", Self.isCluster],
            paint: [
                "circle-radius": ["interpolate", ["linear"], ["zoom"], 0, 3.5, 14, 6],
                "circle-color": colors?.ofPoints ?? .string(hue?[0] ?? "#c2571a"),
                "circle-stroke-color": "#ffffff", "circle-stroke-width": 1.5,
            ])
    }

    /// The density of points from true counts: of a finer zoom if tiles have them, otherwise of the
    /// markers.
    private var heatLayers: [JSONValue] {
        guard let finer = heat.finer else { return [heatLayer(of: name)] }
        var layers = [heatLayer(of: finer.layer, maxZoom: finer.maxZoom + 1)]
        if finer.maxZoom < zooms.upperBound {
            layers.append(heatLayer(of: name, part: "points", minZoom: finer.maxZoom + 1))
        }
        return layers
    }

    private func heatLayer(
        of sourceLayer: String, part: String? = nil, minZoom: Int? = nil, maxZoom: Int? = nil
    ) -> JSONValue {
        layer(
            .heat, "heatmap", part: part, of: sourceLayer,
            paint: [
                "heatmap-weight": ["coalesce", CountSteps.count, 1],
                "heatmap-intensity": heat.intensity,
                "heatmap-radius": heat.radius,
                "heatmap-opacity": 0.85,
                // More steps at low densities, so that a town beside a city is visible.
                "heatmap-color": [
                    "interpolate", ["linear"], ["heatmap-density"],
                    0, "rgba(49,104,142,0)", 0.05, "rgba(49,104,142,0.28)",
                    0.18, "rgba(58,122,168,0.62)", 0.38, "rgba(95,167,119,0.85)",
                    0.65, "#e3b23c", 1, "#c2452d",
                ],
            ], isVisible: false, minZoom: minZoom, maxZoom: maxZoom)
    }

    /// Lines from places to points that are drawn apart.
    private var legLayers: [JSONValue] {
        guard let legs else { return [] }
        return [
            layer(.legs, "line", of: legs, paint: ["line-color": "#6d7680", "line-width": 1.2])
        ]
    }

    /// All features as they are, of any shape.
    private func raw(isVisible: Bool) -> [JSONValue] {
        [
            layer(
                .raw, "fill", part: "areas", filter: Self.hasShape("Polygon"),
                paint: ["fill-color": .string(hue?[0] ?? "#3a7aa8"), "fill-opacity": 0.25],
                isVisible: isVisible),
            layer(
                .raw, "line", part: "lines", filter: ["!", Self.hasShape("Point")],
                paint: ["line-color": .string(hue?[2] ?? "#2c5a80"), "line-width": 1],
                isVisible: isVisible),
            layer(
                .raw, "circle", part: "points", filter: Self.hasShape("Point"),
                paint: [
                    "circle-radius": 3, "circle-color": .string(hue?[0] ?? "#0f766e"),
                    "circle-opacity": 0.75,
                ], isVisible: isVisible),
        ]
    }

    private static func hasShape(_ shape: String) -> JSONValue {
        ["==", ["geometry-type"], .string(shape)]
    }

    /// - Parameter sourceLayer: the layer of the tiles, if it is not the layer itself.
    private func layer(
        _ role: Role, _ type: JSONValue, part: String? = nil, of sourceLayer: String? = nil,
        filter: JSONValue? = nil, layout: JSONValue = [:], paint: JSONValue,
        isVisible: Bool = true, minZoom: Int? = nil, maxZoom: Int? = nil
    ) -> JSONValue {
        var layout = layout.asObject ?? JSONObject()
        if !isVisible { layout["visibility"] = "none" }
        var object = JSONObject()
        object["id"] = .string("\(source)/\(name)-\(role.rawValue)" + (part.map { "-" + $0 } ?? ""))
        object["type"] = type
        object["source"] = .string(source)
        object["source-layer"] = .string(sourceLayer ?? name)
        object["metadata"] = [
            "covey:role": .string(role.rawValue), "covey:layer": .string(name),
        ]
        object["filter"] = filter
        if layout.count > 0 { object["layout"] = .object(layout) }
        object["paint"] = paint
        object["minzoom"] = minZoom.map { .integer(Int64($0)) }
        object["maxzoom"] = maxZoom.map { .integer(Int64($0)) }
        return .object(object)
    }
}
