import Geometry
import Inspection
import TileArchive

extension Archive {
    private static let indent = 15

    /// What it says of itself, as text.
    var summaryLines: [String] {
        let facts: [(String, String?)] = [
            ("name", metadata.name.isEmpty ? nil : metadata.name),
            ("description", metadata.description.flatMap { $0.isEmpty ? nil : $0 }),
            ("attribution", metadata.attribution.flatMap { $0.isEmpty ? nil : $0 }),
            ("size", byteCount?.asBytes),
            ("container", containerWords),
            ("made by", metadata.generator),
            ("zooms", zoomWords), ("bounds", metadata.bounds.map(\.words)), ("center", centerWords),
            (
                "clusters",
                hasClusters ? "with an index and all points beside the tiles" : nil
            ),
        ]
        var lines = [path]
        for case (let name, let value?) in facts {
            let padding = String(repeating: " ", count: Self.indent - 2 - name.count)
            lines.append(
                "  \(name)\(padding)\(value)".wrapped(
                    to: AlignedTable.lineWidth, indent: Self.indent))
        }
        for warning in warnings {
            lines.append("  note: \(warning)".wrapped(to: AlignedTable.lineWidth, indent: 8))
        }
        return lines + layerLines
    }

    private var containerWords: String {
        "\(containerName), \(metadata.format), \(layout.words)"
    }

    private var zoomWords: String? {
        guard let least = metadata.minZoom, let most = metadata.maxZoom else {
            return nil
        }
        return "\(least)–\(most)"
    }

    private var centerWords: String? {
        guard let center = metadata.center else { return nil }
        let zoom = metadata.centerZoom.map { " at zoom \($0)" } ?? ""
        return "\(center.longitude.asDegrees),\(center.latitude.asDegrees)\(zoom)"
    }

    private var layerLines: [String] {
        guard !metadata.vectorLayers.isEmpty else { return [] }
        var table = AlignedTable([
            .init("layer", .left), .init("zooms", .left), .init("fields", .left),
        ])
        for layer in metadata.vectorLayers {
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
