import Foundation

/// Files of skewed random points for measurements: towns and a thin background, four attributes.
enum InputSample {
    enum Format: String, CaseIterable { case geojsonl, geojson, csv }

    /// Writes a number of points; the same count gives the same file.
    static func write(_ count: Int, as format: Format, to path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var random = SplitMix(state: 7)
        var text = format == .csv ? "lon,lat,id,category,value,name\n" : ""
        if format == .geojson { text = "{\"type\":\"FeatureCollection\",\"features\":[\n" }
        for number in 0..<count {
            text += record(number, format, &random)
            text += format == .geojson && number < count - 1 ? ",\n" : "\n"
            if text.utf8.count > 1 << 20 {
                try file.write(contentsOf: Data(text.utf8))
                text = ""
            }
        }
        if format == .geojson { text += "]}\n" }
        try file.write(contentsOf: Data(text.utf8))
        // Otherwise the system would write it to disk while reading is measured.
        try file.synchronize()
    }

    private static let categories = [
        "cafe", "school", "shop", "bank", "hotel", "park", "clinic", "fuel",
    ]

    private static func record(
        _ number: Int, _ format: Format, _ random: inout SplitMix
    ) -> String {
        let town = random.unit() * random.unit() * 20_000
        var place = SplitMix(state: UInt64(town) &* 0x9E37_79B9)
        let x = decimals(place.unit() * 340 - 170 + random.unit() * random.unit(), 6)
        let y = decimals(place.unit() * 130 - 60 + random.unit() * random.unit(), 6)
        let category = categories[Int(random.unit() * random.unit() * 8)]
        let value = decimals(1 / (0.001 + random.unit() * 0.1), 2)
        guard format != .csv else {
            return "\(x),\(y),\(number),\(category),\(value),Place \(number)"
        }
        return "{\"type\":\"Feature\",\"id\":\(number),\"geometry\":{\"type\":\"Point\","
            + "\"coordinates\":[\(x),\(y)]},\"properties\":{\"category\":\"\(category)\","
            + "\"value\":\(value),\"name\":\"Place \(number)\"}}"
    }

    private static func decimals(_ number: Double, _ count: Int) -> String {
        let scale = (0..<count).reduce(1) { scale, _ in scale * 10 }
        let units = Int(abs(number) * Double(scale))
        let fraction = "\(units % scale)"
        return (number < 0 ? "-" : "") + "\(units / scale)."
            + String(repeating: "0", count: count - fraction.count) + fraction
    }
}
