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

/// Points as CSV (RFC 4180): id, longitude, latitude, and a column for each attribute.
///
///     var table = LeafTable()
///     table.addColumns(for: leaves)
///     for line in [table.header] + leaves.map(table.line) { print(line) }
public struct LeafTable {
    private var names: [String] = []
    private var known: Set<String> = []

    public init() {}

    /// Adds the columns for the attributes of some points, in the order in which they come.
    public mutating func addColumns(for leaves: [Leaf]) {
        for leaf in leaves {
            for tag in leaf.tags where known.insert(tag.key).inserted { names.append(tag.key) }
        }
    }

    /// The names of the columns.
    public var header: String {
        // An attribute may have the name of a column; two of one name could not be read again.
        let own = ["id", "longitude", "latitude"].map { name in
            var name = name
            while known.contains(name) { name = "feature_" + name }
            return name
        }
        return Self.line(own + names)
    }

    /// The line of a point.
    public func line(of leaf: Leaf) -> String {
        let lonLat = leaf.position.wrapped.lonLat
        let values = names.map { name in
            leaf.tags.first { $0.key == name }?.value.cell ?? ""
        }
        let id = leaf.id.map { "\($0)" } ?? ""
        let position = [lonLat.longitude, lonLat.latitude].map { GeoJSON.degrees($0).text() }
        return Self.line([id] + position + values)
    }

    private static func line(_ cells: [String]) -> String {
        cells.map { cell in
            guard cell.unicodeScalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) })
            else { return cell }
            return "\"\(cell.spelling(["\"": "\"\""]))\""
        }.joined(separator: ",")
    }
}
