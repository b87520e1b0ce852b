/// The usual names of columns with coordinates, the surest first.
enum CoordinateNames {
    static let x = ["longitude", "lon", "lng", "long", "x"]
    static let y = ["latitude", "lat", "y"]

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
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
