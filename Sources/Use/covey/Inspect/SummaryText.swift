import Geometry
import Inspection
import TileArchive

/// What an archive says about itself, as text.
struct SummaryText {
    let summary: ArchiveSummary

    init(_ summary: ArchiveSummary) { self.summary = summary }

    private static let indent = 15

    var lines: [String] {
        let metadata = summary.metadata
        let facts: [(String, String?)] = [
            ("name", metadata.name.isEmpty ? nil : metadata.name),
            ("description", metadata.description.flatMap { $0.isEmpty ? nil : $0 }),
            ("attribution", metadata.attribution.flatMap { $0.isEmpty ? nil : $0 }),
            ("size", summary.bytes?.asBytes),
            ("container", container),
            ("made by", metadata.generator),
            ("zooms", zooms), ("bounds", metadata.bounds.map(\.words)), ("center", center),
            (
                "clusters",
                summary.hasClusters ? "with an index and all points beside the tiles" : nil
            ),
        ]
        var lines = [summary.path]
        for case (let name, let value?) in facts {
            let padding = String(repeating: " ", count: Self.indent - 2 - name.count)
            lines.append(
                "  \(name)\(padding)\(value)".wrapped(
                    to: AlignedTable.lineWidth, indent: Self.indent))
        }
        for warning in summary.warnings {
            lines.append("  note: \(warning)".wrapped(to: AlignedTable.lineWidth, indent: 8))
        }
        return lines + layerLines
    }

    private var container: String {
        return "\(summary.container), \(summary.metadata.format), \(summary.layout.words)"
    }

    private var zooms: String? {
        guard let least = summary.metadata.minZoom, let most = summary.metadata.maxZoom else {
            return nil
        }
        return "\(least)–\(most)"
    }

    private var center: String? {
        guard let center = summary.metadata.center else { return nil }
        let zoom = summary.metadata.centerZoom.map { " at zoom \($0)" } ?? ""
        return "\(center.longitude.asDegrees),\(center.latitude.asDegrees)\(zoom)"
    }

    private var layerLines: [String] {
        guard !summary.metadata.vectorLayers.isEmpty else { return [] }
        var table = AlignedTable([
            .init("layer", .left), .init("zooms", .left), .init("fields", .left),
        ])
        for layer in summary.metadata.vectorLayers {
            let zooms = layer.minZoom.flatMap { least in layer.maxZoom.map { "\(least)–\($0)" } }
            let fields = layer.fields.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
            table.add([layer.id.cut(to: 30), zooms ?? "–", fields])
        }
        return [""] + table.lines
    }
}

extension LonLatBox {
    fileprivate var words: String {
        [west, south, east, north].map(\.asDegrees).joined(separator: ",")
    }
}
