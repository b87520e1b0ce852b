/// The usual names of columns with coordinates, the surest first.
enum CoordinateNames {
    /// Without what is between words: `GPS Longitude` and `gps_longitude` are one.
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

    /// The column that bears the surest of the wanted names, whatever its case.
    static func column(named wanted: [String], among columns: [String]) -> Int? {
        let columns = columns.map(plain)
        for name in wanted {
            if let found = columns.firstIndex(of: name) { return found }
        }
        return nil
    }

    /// A name in small letters without what is between words.
    static func plain(_ name: String) -> String {
        name.lowercased().filter { !" _-.".contains($0) }
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
