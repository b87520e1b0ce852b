import ArchiveContract
import Geometry
import JSON

extension ArchiveMetadata {
    /// A row of the `metadata` table.
    package struct Row: Equatable, Sendable {
        package var name: String
        package var value: String

        package init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The rows of these metadata, in a fixed order.
    package var rows: [Row] {
        let known: [(String, String?)] = [
            ("name", name), ("format", format), ("bounds", bounds?.text),
            ("center", centerText),
            ("minzoom", minZoom?.description), ("maxzoom", maxZoom?.description),
            ("type", type), ("version", version), ("description", description),
            ("attribution", attribution), ("generator", generator),
            ("generator_options", generatorOptions), ("json", json?.text()),
            ("agg_tiles_hash", tilesHash), (ClusterDescription.rowName, covey?.text()),
        ]
        return known.compactMap { name, value in value.map { Row(name, $0) } }
            + others.sorted { $0.key < $1.key }.map { Row($0.key, $0.value) }
    }

    private var centerText: String? {
        center.map { "\($0.longitude.text),\($0.latitude.text),\(centerZoom ?? minZoom ?? 0)" }
    }

    /// The `json` row; a raster archive has none.
    private var json: JSONValue? {
        guard format == "pbf" || !vectorLayers.isEmpty || tileStats != nil else { return nil }
        var object = JSONObject()
        object["vector_layers"] = .array(vectorLayers.map(\.json))
        object["tilestats"] = tileStats
        return .object(object)
    }
}

extension VectorLayer {
    public var json: JSONValue {
        var object = JSONObject()
        object["id"] = .string(id)
        object["description"] = description.map(JSONValue.string)
        object["minzoom"] = minZoom.map { .integer(Int64($0)) }
        object["maxzoom"] = maxZoom.map { .integer(Int64($0)) }
        object["fields"] = .object(
            JSONObject(fields.map { .init(key: $0.name, value: .string($0.type)) }))
        return .object(object)
    }

    /// The layer, if the value describes one; fields whose type is not a text are left out.
    init?(_ json: JSONValue) {
        guard let object = json.asObject, let id = object["id"]?.asString else { return nil }
        self.init(id: id, fields: [])
        fields =
            object["fields"]?.asObject?.members.compactMap { member in
                member.value.asString.map { Field(name: member.key, type: $0) }
            } ?? []
        description = object["description"]?.asString
        minZoom = object["minzoom"]?.asZoom
        maxZoom = object["maxzoom"]?.asZoom
    }
}

extension JSONValue {
    fileprivate var asZoom: UInt8? {
        guard case .integer(let integer) = self, ContractNumber.zoom.holds(integer) else {
            return nil
        }
        return UInt8(integer)
    }
}

extension LonLatBox {
    /// West, south, east and north, as MBTiles and TileJSON list them.
    var text: String { [west, south, east, north].map(\.text).joined(separator: ",") }
}

extension Double {
    /// The shortest decimal form to 10^-7 degrees, a centimetre.
    fileprivate var text: String {
        let rounded = (self * 1e7).rounded() / 1e7
        let whole = Int64(exactly: rounded)
        return whole?.description ?? rounded.plainDescription
    }

    /// The number without an exponent, which some readers of lists of numbers do not accept.
    private var plainDescription: String {
        let scaled = Int64((magnitude * 1e7).rounded())
        let fraction = String(scaled % 10_000_000)
        let padded = String(repeating: "0", count: 7 - fraction.utf8.count) + fraction
        let trimmed = padded.reversed().drop { $0 == "0" }.reversed()
        return "\(self < 0 ? "-" : "")\(scaled / 10_000_000).\(String(trimmed))"
    }
}
