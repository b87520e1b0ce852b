import ArchiveContract
import Geometry
import JSON
import VectorTile

extension TileValue {
    /// The value as a cell of CSV, with all digits: JSON has no whole numbers from 2^63 on.
    fileprivate var cell: String {
        if case .uint(let integer) = self { "\(integer)" } else { json.asString ?? json.text() }
    }
}

extension [Leaf] {
    /// The points as CSV (RFC 4180): id, longitude, latitude, and a column for each attribute.
    public var csvLines: [String] {
        var names: [String] = []
        for tag in flatMap(\.tags) where !names.contains(tag.key) {
            names.append(tag.key)
        }
        // An attribute may have the name of a column; two of one name could not be read again.
        let own = ["id", "longitude", "latitude"].map { names.contains($0) ? "feature_\($0)" : $0 }
        let header = own + names
        return [header].map(Self.line)
            + map { leaf in
                let lonLat = leaf.position.wrapped.lonLat
                let values = names.map { name in
                    leaf.tags.first { $0.key == name }?.value.cell ?? ""
                }
                let id = leaf.id.map { "\($0)" } ?? ""
                return Self.line(
                    [id] + [lonLat.longitude, lonLat.latitude].map { GeoJSON.degrees($0).text() }
                        + values)
            }
    }

    private static func line(_ cells: [String]) -> String {
        cells.map { cell in
            guard cell.contains(where: { ",\"\n\r".contains($0) }) else { return cell }
            return "\"\(cell.replacing("\"", with: "\"\""))\""
        }.joined(separator: ",")
    }
}
