/// The usual names of columns with coordinates, the most certain first.
enum CoordinateNames {
    /// Without separators of words: `GPS Longitude` and `gps_longitude` are the same.
    static let x = [
        "longitude", "lon", "lng", "long", "decimallongitude", "gpslongitude", "gpslon", "stoplon",
        "longitud", "longitudine", "länge", "laenge", "längengrad", "laengengrad", "geolänge",
        "x", "xcoord", "xcoordinate", "coordx", "pointx",
    ]
    static let y = [
        "latitude", "lat", "decimallatitude", "gpslatitude", "gpslat", "stoplat", "latitud",
        "latitudine", "breite", "breitengrad", "geobreite", "y", "ycoord", "ycoordinate", "coordy",
        "pointy",
    ]
    /// Columns of binary geometries, in no order.
    static let geometries: Set<String> = [
        "geom", "geometry", "the_geom", "wkb_geometry", "wkb", "ewkb", "shape",
    ]

    /// The column with the most certain of the wanted names, ignoring case.
    static func column(named wanted: [String], among columns: [String]) -> Int? {
        let columns = columns.map(plain)
        for name in wanted {
            if let found = columns.firstIndex(of: name) { return found }
        }
        return nil
    }

    /// A name in lower case without separators of words.
    static func plain(_ name: String) -> String {
        name.lowercased().filter { !" _-.".contains($0) }
    }
}

extension String {
    var trimmingSpaces: String { trimming { $0 == UInt8(ascii: " ") } }

    /// The text without such bytes at its ends.
    func trimming(_ isBlank: (UInt8) -> Bool) -> String {
        // Compares bytes: Unicode properties would be looked up for each character of every coordinate.
        guard let first = utf8.firstIndex(where: { !isBlank($0) }),
            let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return String(self[first...last])
    }
}
