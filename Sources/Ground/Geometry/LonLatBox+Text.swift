extension LonLatBox {
    /// Reads `west,south,east,north` in degrees; nil for any other text. West is greater than east
    /// if the box crosses the antimeridian.
    package init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        // Swift also reads hexadecimal numbers and `nan`, which a box may not have.
        let signs = Set("0123456789+-.eE")
        let numbers = parts.filter { $0.allSatisfy(signs.contains) }.compactMap { Double($0) }
        guard numbers.count == 4, parts.count == 4, abs(numbers[0]) <= 180,
            abs(numbers[2]) <= 180, abs(numbers[1]) <= 90, abs(numbers[3]) <= 90,
            numbers[1] <= numbers[3]
        else { return nil }
        self.init(west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    }

    /// The box as such a text.
    package var edges: String { "\(west),\(south),\(east),\(north)" }

    /// Whether it contains a place; the longitude may be outside −180 … 180.
    package func contains(longitude: Double, latitude: Double) -> Bool {
        let home = Self.home(longitude)
        return contains(LonLat(longitude: home, latitude: latitude))
            // 180 and −180 are one meridian.
            || home == -180 && contains(LonLat(longitude: 180, latitude: latitude))
    }

    /// A longitude from −180 on and below 180, which may have been given some turns around the world away.
    static func home(_ longitude: Double) -> Double {
        let turns = ((longitude + 180) / 360).rounded(.down)
        return turns == 0 ? longitude : longitude - 360 * turns
    }
}
