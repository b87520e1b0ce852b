/// The usual names of columns with coordinates, the most certain first.
enum CoordinateNames {
    /// Pairs that belong together. Without separators of words: `GPS Longitude` and `gps_longitude` are the same.
    private static let certainPairs = [
        ("longitude", "latitude"), ("lon", "lat"), ("lng", "lat"), ("long", "lat"),
        ("decimallongitude", "decimallatitude"), ("gpslongitude", "gpslatitude"),
        ("gpslon", "gpslat"), ("stoplon", "stoplat"), ("longitud", "latitud"),
        ("longitudine", "latitudine"),
        ("längengrad", "breitengrad"), ("laengengrad", "breitengrad"), ("geolänge", "geobreite"),
        ("lengtegraad", "breedtegraad"), ("boylam", "enlem"), ("bujur", "lintang"),
        ("kinhđộ", "vĩđộ"), ("długośćgeograficzna", "szerokośćgeograficzna"),
        ("zeměpisnádélka", "zeměpisnášířka"), ("долгота", "широта"), ("довгота", "широта"),
        ("経度", "緯度"), ("经度", "纬度"), ("經度", "緯度"), ("경도", "위도"),
        ("خطالطول", "خطالعرض"), ("ลองจิจูด", "ละติจูด"),
        ("x", "y"), ("xcoord", "ycoord"), ("xcoordinate", "ycoordinate"), ("coordx", "coordy"),
        ("pointx", "pointy"),
    ]
    /// In German these are lengths and widths as well.
    private static let doubtfulPairs = [("länge", "breite"), ("laenge", "breite")]
    private static let pairs = certainPairs + doubtfulPairs
    static let x = pairs.map(\.0)
    static let y = pairs.map(\.1)

    /// Some of the pairs.
    struct Pairs: OptionSet {
        let rawValue: UInt64

        static let all = Self(rawValue: .max)

        init(rawValue: UInt64) { self.rawValue = rawValue }

        /// - Parameter names: the first names of all pairs, or the second ones.
        init(of plain: String, among names: [String]) {
            self.init()
            for (index, name) in names.enumerated() where name == plain {
                insert(Self(rawValue: 1 << UInt64(index)))
            }
        }

        var mostCertain: Self { Self(rawValue: rawValue & ~(rawValue &- 1)) }

        func isAsCertain(as other: Self) -> Bool {
            rawValue.trailingZeroBitCount <= other.rawValue.trailingZeroBitCount
        }
    }

    /// Columns of binary geometries, in no order.
    static let geometries: Set<String> = [
        "geom", "geometry", "the_geom", "wkb_geometry", "wkb", "ewkb", "shape",
    ]

    /// Columns of geometries as texts, the most certain first; plain names.
    static let texts = [
        "wkt", "geojson", "geometry", "geom", "thegeom", "geog", "wkbgeometry", "wkb", "ewkb",
        "ewkt", "shape", "point", "location",
    ]

    /// The columns of a pair that belongs together, or else those with the most certain name of each.
    static func pair(among columns: [String]) -> (x: Int?, y: Int?) {
        let plain = columns.map(plain)
        let known = pairs(among: plain)
        if let pair = known.certain.first ?? known.affixed.first ?? known.doubtful.first {
            return (pair[0], pair[1])
        }
        return (column(named: x, among: columns), column(named: y, among: columns))
    }

    static func isPair(_ x: String, _ y: String) -> Bool {
        let names = [plain(x), plain(y)]
        return pairs.contains { $0.0 == names[0] && $0.1 == names[1] }
            || affixedPairs(among: names).first == [0, 1]
    }

    /// All pairs of columns that belong together, by plain names, the most certain first.
    static func pairs(
        among plain: [String]
    ) -> (certain: [[Int]], affixed: [[Int]], doubtful: [[Int]]) {
        func found(_ pairs: [(String, String)]) -> [[Int]] {
            pairs.compactMap { x, y in
                guard let x = plain.firstIndex(of: x), let y = plain.firstIndex(of: y) else {
                    return nil
                }
                return [x, y]
            }
        }
        return (found(certainPairs), affixedPairs(among: plain), found(doubtfulPairs))
    }

    /// Words beside those of longitude and latitude that mean a place. Others are not known: errors, limits and changes of
    /// coordinates have names of that form, too.
    private static let affixes = [
        "location", "where", "position", "place", "site", "gps", "geo", "wgs",
    ]

    /// The pairs of columns whose names differ only in that one has the word of a longitude and the other that of a
    /// latitude, beside the same word for a place: `location-long` and `location-lat`, `lat_1_Where` and `long_1_Where`.
    private static func affixedPairs(among plain: [String]) -> [[Int]] {
        plain.enumerated().compactMap { x, name in
            for (word, other) in certainPairs.prefix(4) where name != word {
                for found in name.ranges(of: word) {
                    let rest = name.replacingCharacters(of: found, with: "").filter(\.isLetter)
                    guard affixes.contains(where: rest.hasSuffix) else { continue }
                    let twin = name.replacingCharacters(of: found, with: other)
                    if let y = plain.firstIndex(of: twin) { return [x, y] }
                }
            }
            return nil
        }
    }

    /// The columns of coordinates: those that the options name, or else the usual ones; nil if one is missing.
    static func pair(
        among columns: [String], _ options: InputOptions, input: String
    ) throws(InputError) -> (x: Int, y: Int)? {
        func named(_ name: String) throws(InputError) -> Int {
            try column(name, among: columns, input: input)
        }
        let usual = pair(among: columns)
        let x = try options.xColumn.map(named) ?? usual.x
        let y = try options.yColumn.map(named) ?? usual.y
        if let x, let y { return (x, y) }
        return nil
    }

    /// The column with a name, or with the same name in other case.
    static func column(
        _ name: String, among columns: [String], input: String
    ) throws(InputError) -> Int {
        let found =
            columns.firstIndex(of: name)
            ?? columns.firstIndex { $0.lowercased() == name.lowercased() }
        if let found { return found }
        throw .noSuchColumn(input: input, column: name, available: columns)
    }

    /// The column with the most certain of the wanted names, ignoring case.
    static func column(named wanted: [String], among columns: [String]) -> Int? {
        let columns = columns.map(plain)
        for name in wanted {
            if let found = columns.firstIndex(of: name) { return found }
        }
        return nil
    }

    /// A name in lower case, of its letters and digits only.
    static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

extension String {
    fileprivate func replacingCharacters(of range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }

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
