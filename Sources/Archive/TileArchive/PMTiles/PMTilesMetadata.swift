import ArchiveContract
import Geometry
import JSON

extension ArchiveMetadata {
    /// The metadata of a PMTiles archive: one JSON object, without the fields of the header.
    package var pmtilesJSON: JSONValue {
        var object = JSONObject()
        let texts: [(String, String?)] = [
            ("name", name), ("description", description), ("attribution", attribution),
            ("version", version), ("type", type), ("generator", generator),
            ("generator_options", generatorOptions), ("agg_tiles_hash", tilesHash),
        ]
        for (key, text) in texts { object[key] = text.map(JSONValue.string) }
        if format == "pbf" || !vectorLayers.isEmpty {
            object["vector_layers"] = .array(vectorLayers.map(\.json))
        }
        object["tilestats"] = tileStats
        object[ClusterDescription.rowName] = covey
        for (key, text) in others.sorted(by: { $0.key < $1.key }) where object[key] == nil {
            object[key] = .string(text)
        }
        return .object(object)
    }

    /// Reads such an object, and notes what is invalid.
    static func pmtiles(
        _ json: JSONValue, _ header: PMTilesHeader
    ) -> (ArchiveMetadata, [ArchiveWarning]) {
        var rows: [Row] = []
        var layers = JSONObject()
        // Some programs copy the row of MBTiles as it is.
        var copied = "{}"
        for member in json.asObject?.members ?? [] {
            switch member.key {
            case "vector_layers", "tilestats": layers[member.key] = member.value
            case "json": copied = member.value.asString ?? member.value.text()
            case "format", "minzoom", "maxzoom", "bounds", "center": break
            default: rows.append(Row(member.key, member.value.asString ?? member.value.text()))
            }
        }
        rows.append(Row("format", header.tileType.format))
        let hasLayers = !layers.members.isEmpty
        if header.tileType == .mvt || hasLayers {
            rows.append(Row("json", hasLayers ? JSONValue.object(layers).text() : copied))
        }
        if !rows.contains(where: { $0.name == "name" }) { rows.append(Row("name", "")) }
        var reading = MetadataReading(rows: rows)
        var metadata = reading.metadata()
        metadata.take(header)
        return (metadata, reading.warnings)
    }

    private mutating func take(_ header: PMTilesHeader) {
        func degrees(_ number: Int32) -> Double { Double(number) / 1e7 }
        let edges = header.bounds.map(degrees)
        if abs(edges[0]) <= 180, abs(edges[2]) <= 180, edges[1] <= edges[3],
            abs(edges[1]) <= 90, abs(edges[3]) <= 90
        {
            bounds = LonLatBox(west: edges[0], south: edges[1], east: edges[2], north: edges[3])
        }
        let middle = header.center.map(degrees)
        if abs(middle[0]) <= 180, abs(middle[1]) <= 90 {
            center = LonLat(longitude: middle[0], latitude: middle[1])
            centerZoom = header.centerZoom <= TileID.deepestZoom ? header.centerZoom : nil
        }
        if header.maxZoom <= TileID.deepestZoom, header.minZoom <= header.maxZoom {
            minZoom = header.minZoom
            maxZoom = header.maxZoom
        }
    }
}

extension PMTilesHeader {
    /// Sets the fields that the metadata have: where the tiles lie on the earth, and where a map should open.
    mutating func describe(_ metadata: ArchiveMetadata) {
        tileType = TileType(format: metadata.format)
        func number(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
        if let box = metadata.bounds {
            // The header cannot express a box across the antimeridian.
            let (west, east) = box.crossesAntimeridian ? (-180, 180) : (box.west, box.east)
            bounds = [west, box.south, east, box.north].map(number)
        }
        // Readers ignore a box without area.
        for (low, high, limit) in [(0, 2, 1_800_000_000), (1, 3, 900_000_000)]
            as [(Int, Int, Int32)]
        where bounds[low] >= bounds[high] {
            bounds[low] = max(bounds[low] - 10, -limit)
            bounds[high] = min(bounds[high] + 10, limit)
        }
        let middle = LonLat(
            longitude: Double(bounds[0] / 2 + bounds[2] / 2) / 1e7,
            latitude: Double(bounds[1] / 2 + bounds[3] / 2) / 1e7)
        let wanted = metadata.center ?? middle
        center = [number(wanted.longitude), number(wanted.latitude)]
        centerZoom = min(max(metadata.centerZoom ?? minZoom, minZoom), maxZoom)
    }
}

extension PMTilesHeader.TileType {
    /// The type that a format of MBTiles means.
    init(format: String) {
        let name = format == "jpeg" ? "jpg" : format
        let known: [Self] = [.mvt, .png, .jpeg, .webp, .avif, .mlt]
        self = known.first { $0.format == name } ?? .unknown
    }

    /// The name of the type in MBTiles.
    var format: String {
        switch self {
        case .mvt: "pbf"
        case .png: "png"
        case .jpeg: "jpg"
        case .webp: "webp"
        case .avif: "avif"
        case .mlt: "mlt"
        case .unknown: "unknown"
        }
    }
}
