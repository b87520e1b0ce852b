import Inspection
import VectorTile

/// A layer's features and the sizes of its parts, as text.
struct LayerText {
    let layer: LayerFigures

    init(_ layer: LayerFigures) { self.layer = layer }

    /// The most attributes that are shown; `--json` has all of them.
    private static let mostAttributes = 24

    var lines: [String] {
        var lines = [
            heading.wrapped(to: AlignedTable.lineWidth, indent: 2),
            "  \(parts)".wrapped(to: AlignedTable.lineWidth, indent: 4),
        ]
        let attributes = layer.attributes.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
        var table = AlignedTable([
            .init("  attribute", .left), .init("type", .left), .init("features"),
            .init("bytes"), .init("share"), .init("values"),
        ])
        for attribute in attributes.prefix(Self.mostAttributes) {
            table.add([
                "  " + attribute.name.cut(to: 24), attribute.kinds.words,
                attribute.features.grouped, attribute.bytes.asBytes,
                attribute.bytes.percent(of: layer.bytes), attribute.valueBytes.asBytes,
            ])
        }
        lines += table.lines
        let rest = attributes.count - Self.mostAttributes
        if rest > 0 { lines.append("  and \(rest.grouped) more; --json shows all") }
        return lines
    }

    private var heading: String {
        var counts: [String] = []
        for type in GeometryType.allCases where layer.features(of: type) > 0 {
            counts.append("\(layer.features(of: type).grouped) \(type.word)")
        }
        let zooms = layer.zooms
        let range =
            zooms.count == 1
            ? "zoom \(zooms.lowerBound)" : "zooms \(zooms.lowerBound)–\(zooms.upperBound)"
        let skipped =
            layer.skippedFeatures > 0 ? ", \(layer.skippedFeatures.grouped) unreadable" : ""
        return "layer \(layer.name): \(counts.isEmpty ? "empty" : counts.joined(separator: ", "))"
            + "\(skipped); \(range); extent \(layer.extents.upperBound);"
            + " version \(layer.versions.upperBound)"
    }

    private var parts: String {
        let all = layer.bytes
        func share(_ name: String, _ bytes: Int) -> String { "\(name) \(bytes.percent(of: all))" }
        let shares = [
            share("geometry", layer.geometryBytes), share("tags", layer.tagBytes),
            share("keys", layer.keyBytes), share("values", layer.valueBytes),
            share(
                "headers",
                all - layer.geometryBytes - layer.tagBytes - layer.keyBytes - layer.valueBytes),
        ]
        return "\(all.asBytes) inflated: \(shares.joined(separator: ", "))"
    }
}
