import Basics
import Geometry
import JSON
import TileArchive

/// A description of an archive for map clients (TileJSON 3.0.0).
struct TileJSON {
    private let archive: ServedArchive
    private var metadata: ArchiveMetadata { archive.archive.metadata }

    init(of archive: ServedArchive) { self.archive = archive }

    /// The whole document, with absolute addresses.
    func document(at address: PublicAddress) -> JSONValue {
        let kind = TileKind(format: metadata.format)
        let suffix = kind.isVector ? "" : kind.suffixes.first.map { "." + $0 } ?? ""
        let own = "\(address.text)/\(archive.id)"
        let document = document(tiles: "\(own)/{z}/{x}/{y}\(suffix)")
        guard archive.isLiving, var object = document.asObject else { return document }
        object["events"] = .string("\(own)/events")
        return .object(object)
    }

    /// The document with the given address of tiles.
    func document(tiles: String) -> JSONValue {
        var object = JSONObject()
        object["tilejson"] = "3.0.0"
        object["tiles"] = [.string(tiles)]
        for member in summary.members { object[member.key] = member.value }
        // Required even if nothing is known about the layers (3.3).
        object["vector_layers"] = .array(metadata.vectorLayers.map(\.json))
        object["scheme"] = "xyz"
        object["tilestats"] = metadata.tileStats
        object["covey"] = metadata.covey
        return .object(object)
    }

    /// The members that a list of archives shows.
    var summary: JSONObject {
        var object = JSONObject()
        object["id"] = .string(archive.id)
        object["name"] = .string(metadata.name)
        object["description"] = metadata.description.map { .string(MarkupCleaner.clean($0)) }
        object["attribution"] = metadata.attribution.map { .string(MarkupCleaner.clean($0)) }
        // 3.16: version must be semver; archives of other programs have "1" or a date.
        object["version"] = .string(semanticVersion)
        object["format"] = .string(metadata.format)
        object["minzoom"] = .integer(Int64(archive.zooms.lowerBound))
        object["maxzoom"] = .integer(Int64(archive.zooms.upperBound))
        let box = bounds
        object["bounds"] = .array([box.west, box.south, box.east, box.north].map(JSONValue.number))
        let center = center(in: box)
        object["center"] = [
            .number(center.longitude), .number(center.latitude), .integer(Int64(centerZoom)),
        ]
        return object
    }

    private var semanticVersion: String {
        let parts = (metadata.version ?? "1").split(separator: ".").prefix(3)
        guard !parts.isEmpty, parts.allSatisfy({ $0.utf8.allSatisfy(\.isASCIIDigit) }) else {
            return "1.0.0"
        }
        return (parts.map(String.init) + ["0", "0"]).prefix(3).joined(separator: ".")
    }

    /// 3.5: bounds do not wrap, so a box over the antimeridian becomes a belt around the world.
    private var bounds: LonLatBox {
        guard var box = metadata.bounds else { return .world }
        if box.crossesAntimeridian { (box.west, box.east) = (-180, 180) }
        return box
    }

    /// 3.6: the center must be inside the bounds, and its zoom inside the zooms.
    private func center(in box: LonLatBox) -> LonLat {
        guard let center = metadata.center, box.contains(center) else { return box.center }
        return center
    }

    private var centerZoom: Int {
        min(
            max(metadata.centerZoom.map(Int.init) ?? 0, archive.zooms.lowerBound),
            archive.zooms.upperBound)
    }
}
