import Points

extension PlaceSurvey {
    /// The unlikely properties of the positions, one sentence each.
    func oddities(of options: InputOptions, rejected: [RejectReason: Int]) -> [String] {
        var oddities: [String] = []
        func some(_ count: Int) -> String { count == 1 ? "1 point is" : "\(count) points are" }
        if atOrigin > 0 {
            oddities.append(
                "\(some(atOrigin)) at longitude 0, latitude 0, where programs put unknown places"
            )
        }
        if atPoleEdges > 0 {
            oddities.append(
                "\(some(atPoleEdges)) past 85.05° north or south, where the map ends, and drawn at its edge"
            )
        }
        if isSwapped(options, rejected) {
            oddities.append("longitude and latitude look swapped; --x and --y name their columns")
        }
        if isOnOneLine {
            oddities.append("all points are \(isAtOnePlace ? "at one place" : "on one line")")
        } else if let far = farCount {
            oddities.append("\(some(far)) far outside the rest")
        }
        return oddities
    }

    /// Whether the columns named in the options have names of the other axis, though their values may be of either,
    /// or many latitudes could only be longitudes.
    private func isSwapped(_ options: InputOptions, _ rejected: [RejectReason: Int]) -> Bool {
        let x = options.xColumn.map(CoordinateNames.plain) ?? ""
        let y = options.yColumn.map(CoordinateNames.plain) ?? ""
        let isCrossed = CoordinateNames.y.contains(x) && CoordinateNames.x.contains(y)
        if isCrossed, longitudesMayBeLatitudes { return true }
        let tooFarNorth = rejected[.latitudeOutOfRange] ?? 0
        return tooFarNorth > 2 && tooFarNorth > count / 10
    }
}
