import Inspection
import VectorTile

extension LayerFigures {
    /// The most attributes that are shown; `--json` has all of them.
    private static let mostShown = 24

    /// The layer's features and the sizes of its parts, as text.
    var lines: [String] {
        var lines = [
            heading.wrapped(to: AlignedTable.lineWidth, indent: 2),
            "  \(parts)".wrapped(to: AlignedTable.lineWidth, indent: 4),
        ]
        let attributes = self.attributes.sorted { ($1.bytes, $0.name) < ($0.bytes, $1.name) }
        var table = AlignedTable([
            .init("  attribute", .left), .init("type", .left), .init("features"),
            .init("bytes"), .init("share"), .init("values"),
        ])
        for attribute in attributes.prefix(Self.mostShown) {
            table.add([
                "  " + attribute.name.cut(to: 24), attribute.kinds.words,
                attribute.features.grouped, attribute.bytes.asBytes,
                attribute.bytes.percent(of: bytes), attribute.valueBytes.asBytes,
            ])
        }
        lines += table.lines
        let rest = attributes.count - Self.mostShown
        if rest > 0 { lines.append("  and \(rest.grouped) more; --json shows all") }
        return lines
    }

    private var heading: String {
        var counts: [String] = []
        for type in GeometryType.allCases where features(of: type) > 0 {
            counts.append("\(features(of: type).grouped) \(type.word)")
        }
        let range =
            zooms.count == 1
            ? "zoom \(zooms.lowerBound)" : "zooms \(zooms.lowerBound)–\(zooms.upperBound)"
        let skipped =
            skippedFeatures > 0 ? ", \(skippedFeatures.grouped) unreadable" : ""
        return "layer \(name): \(counts.isEmpty ? "empty" : counts.joined(separator: ", "))"
            + "\(skipped); \(range); extent \(extents.upperBound);"
            + " version \(versions.upperBound)"
    }

    private var parts: String {
        func share(_ name: String, _ part: Int) -> String { "\(name) \(part.percent(of: bytes))" }
        let shares = [
            share("geometry", geometryBytes), share("tags", tagBytes),
            share("keys", keyBytes), share("values", valueBytes),
            share(
                "headers",
                bytes - geometryBytes - tagBytes - keyBytes - valueBytes),
        ]
        return "\(bytes.asBytes) inflated: \(shares.joined(separator: ", "))"
    }
}
