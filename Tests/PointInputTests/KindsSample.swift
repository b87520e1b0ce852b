import Points

/// What the files `kinds.*` among the samples hold; GDAL wrote them all from one GeoJSON file.
enum KindsSample {
    /// The points as a format gives them that may number them from 1, and may know no date without
    /// a time or no time without fractions of a second.
    static func points(ids: Bool, day: String = "", second: String = "Z") -> [ReadPoint] {
        places.enumerated().map { index, place in
            var attributes = attributes[index]
            if case .text(let date)? = attributes["day"] { attributes["day"] = .text(date + day) }
            if case .text(let time)? = attributes["when"] {
                attributes["when"] = .text(time.dropLast() + second)
            }
            return ReadPoint(place.0, place.1, id: ids ? UInt64(index) + 1 : nil, attributes)
        }
    }

    static let places = [(8.54, 47.37), (-179.5, -80.25), (0.0, 0.0), (120.125, 23.5)]

    static let attributes: [ReadPoint.Attributes] = [
        [
            "n": .integer(1), "text": .text("Zürich"), "real": .number(0.25), "flag": .bool(true),
            "big": .integer(9_007_199_254_740_993), "when": .text("2024-05-06T07:08:09Z"),
            "day": .text("2024-05-06"),
        ],
        [
            "n": .integer(2), "text": .text(""), "real": .number(-1e300), "flag": .bool(false),
            "big": .integer(-9_007_199_254_740_993), "when": .text("2023-01-02T03:04:05Z"),
            "day": .text("1999-12-31"),
        ],
        ["n": .integer(3)],
        [
            "n": .integer(4), "text": .text("<a & 'b'>"), "real": .number(3.5),
            "flag": .bool(true), "big": .integer(0), "when": .text("2020-02-29T12:00:00Z"),
            "day": .text("2020-02-29"),
        ],
    ]
}
