/// The usual names of columns with coordinates, the surest first.
enum CoordinateNames {
    static let x = ["longitude", "lon", "lng", "long", "x"]
    static let y = ["latitude", "lat", "y"]
    /// Columns of binary geometries, in no order.
    static let geometries: Set<String> = [
        "geom", "geometry", "the_geom", "wkb_geometry", "wkb", "ewkb", "shape",
    ]

    /// The column that bears the surest of the wanted names, whatever its case.
    static func column(named wanted: [String], among columns: [String]) -> Int? {
        for name in wanted {
            let found = columns.firstIndex { $0.lowercased().trimmingSpaces == name }
            if let found { return found }
        }
        return nil
    }
}

extension String {
    var trimmingSpaces: String {
        // Over bytes: characters would be looked up one by one, for each coordinate of a text.
        let space = UInt8(ascii: " ")
        guard let first = utf8.firstIndex(where: { $0 != space }),
            let last = utf8.lastIndex(where: { $0 != space })
        else { return "" }
        return String(self[first...last])
    }
}
