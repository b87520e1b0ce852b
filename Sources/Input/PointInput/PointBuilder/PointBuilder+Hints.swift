// What coordinates may be that are out of range.

extension PointBuilder {
    /// What coordinates beyond all degrees may be, as the end of a sentence.
    func hint(_ x: Double, _ y: Double) -> String {
        if let none = [x, y].first(where: Self.isUsualForNone) {
            return "; \(Int(none)) usually means that there is no value"
        }
        if max(x.magnitude, y.magnitude) > 540 {
            return zoneHint(x, y) ?? Self.scaleHint(x, y)
                ?? (declaresCRS
                    ? "; these look like metres, but the input declares degrees (\(crs.name)): name their "
                        + "system in it, as \(remedy("EPSG:25832")) does"
                    : "; these look like metres: name their system, as \(remedy("EPSG:25832")) does")
        }
        guard y.magnitude > 90, x.magnitude <= 90 else { return "" }
        let usual = CoordinateNames.pair(among: names)
        let text = "; longitude and latitude look swapped"
        guard let xName = options.xColumn ?? usual.x.map({ names[$0] }),
            let yName = options.yColumn ?? usual.y.map({ names[$0] })
        else { return text }
        return "\(text): --x \(yName) --y \(xName) reads them the other way round"
    }

    /// Whether a number is -999, -9999 and so on.
    private static func isUsualForNone(_ number: Double) -> Bool {
        [-999, -9_999, -99_999, -999_999].contains(number)
    }

    /// The system of an easting with the number of its zone in front, as German surveys write them: 32392345.
    func zoneHint(_ x: Double, _ y: Double) -> String? {
        guard x >= 31e6, x < 34e6, y > 0, y < 1e7 else { return nil }
        let zone = Int(x / 1e6)
        let system = zone == 31 ? "EPSG:5649" : zone == 32 ? "EPSG:4647" : "EPSG:5650"
        return "; eastings that begin with the zone \(zone) are those of \(remedy(system))"
    }

    /// The degrees in whole numbers that are too great for metres; some spreadsheets drop the decimal point.
    private static func scaleHint(_ x: Double, _ y: Double) -> String? {
        // Half the world in Web Mercator, and the easting of the last zone.
        guard y.magnitude > 20_037_509 || x.magnitude > 61e6, max(x.magnitude, y.magnitude) < 1e12,
            x == x.rounded(), y == y.rounded()
        else { return nil }
        var scale = 1.0
        while x.magnitude > 180 * scale || y.magnitude > 90 * scale { scale *= 10 }
        return "; their decimal points may be lost: divided by \(Int(scale)) they are "
            + "\(x / scale), \(y / scale)"
    }
}
