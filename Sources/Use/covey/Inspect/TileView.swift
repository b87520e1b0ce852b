import Conversion
import Arguments
import Geometry
import Inspection
import JSON
import VectorTile

/// One tile, in the requested form.
struct TileView {
    let report: TileReport
    let path: String
    let arguments: ParsedArguments

    func show(on console: Console) throws {
        if arguments[InspectVerb.raw] { return console.write(report.stored) }
        // From here on the tile must be readable, at least in part.
        if let fault = report.fault, report.survey.layers.isEmpty || wantsData {
            throw InspectionError.badTile(path: path, report.tile, fault)
        }
        if arguments[InspectVerb.inflate] {
            console.write(report.inflated)
        } else if arguments[InspectVerb.geojson] {
            console.print(geoJSON.collection(report.content.layers).text(.compact))
            warn(on: console)
        } else if arguments[InspectVerb.json] {
            console.print(report.json.text(.pretty))
        } else {
            console.show(text)
        }
        if let fault = report.fault {
            throw InspectionError.badTile(path: path, report.tile, fault)
        }
    }

    private var wantsData: Bool {
        arguments[InspectVerb.inflate] || arguments[InspectVerb.geojson]
    }

    private func warn(on console: Console) {
        for fault in report.content.skipped { console.say("\(path): left out: \(fault)") }
    }

    private var geoJSON: TileGeoJSON {
        guard let tile = report.tile, !arguments[InspectVerb.tileCoordinates] else {
            return TileGeoJSON(tile: TileID(z: 0, x: 0, y: 0), coordinates: .tile)
        }
        return TileGeoJSON(tile: tile, coordinates: .degrees)
    }

    private var text: [String] {
        let name = report.tile.map { "tile \($0)" } ?? path
        let size =
            report.isGzip
            ? "\(report.stored.count.grouped) bytes gzip, \(report.inflated.count.grouped) inflated"
            : "\(report.stored.count.grouped) bytes, not compressed"
        var lines = ["\(name): \(size)"]
        if report.survey.layers.isEmpty { lines.append("no layers") }
        for layer in report.survey.layers { lines += [""] + layer.lines }
        for layer in report.content.layers {
            lines += layer.lines(first: max(0, arguments[InspectVerb.first]))
        }
        if let difference = report.difference {
            lines += ["", "protobuf-c does not read the tile so: \(difference)"]
        }
        if !report.content.skipped.isEmpty { lines.append("") }
        for fault in report.content.skipped {
            lines.append("left out: \(fault)".wrapped(to: AlignedTable.lineWidth, indent: 2))
        }
        return lines
    }
}

extension ReadableTile.Layer {
    /// The first features as a table.
    fileprivate func lines(first count: Int) -> [String] {
        var table = AlignedTable([
            .init("id"), .init("type", .left), .init("x,y", .left), .init("attributes", .left),
        ])
        for feature in features.prefix(count) {
            table.add([
                feature.id.map { "\($0)" } ?? "–", feature.type.word, Self.position(of: feature),
                feature.tags.map { "\($0.key)=\($0.value.json.text())" }.joined(separator: " "),
            ])
        }
        guard !table.lines.isEmpty else { return [] }
        let title =
            features.count > count
            ? "first \(count.grouped) of \(features.count.grouped) features in \(name):"
            : "all features in \(name):"
        return ["", title] + table.lines
    }

    /// The feature's first position, and how many others it has.
    private static func position(of feature: ReadableTile.Feature) -> String {
        guard let positions = feature.geometry?.positions, let first = positions.first else {
            return "–"
        }
        let more = positions.count > 1 ? " +\((positions.count - 1).grouped)" : ""
        return "\(first.x),\(first.y)\(more)"
    }
}
