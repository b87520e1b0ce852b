extension LonLatBox {
    /// Why a text is not a box.
    package struct Misread: Error, Equatable {
        /// What it should be.
        package let expected: String
    }

    /// Reads `west,south,east,north` in degrees. West is greater than east if the box crosses the
    /// antimeridian.
    package init(_ text: String) throws(Misread) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        // Swift also reads hexadecimal numbers and `nan`, which a box may not have.
        let signs = Set("0123456789+-.eE")
        let numbers = parts.compactMap { part in
            let words = part.split(separator: " ")
            return words.count == 1 && words[0].allSatisfy(signs.contains) ? Double(words[0]) : nil
        }
        guard numbers.count == 4, parts.count == 4 else {
            throw Misread(expected: "west,south,east,north, as 5.9,45.8,10.5,47.8")
        }
        guard abs(numbers[0]) <= 180, abs(numbers[2]) <= 180 else {
            throw Misread(
                expected: "longitudes from -180 to 180 (170,-90,-170,90 crosses the antimeridian)")
        }
        guard abs(numbers[1]) <= 90, abs(numbers[3]) <= 90 else {
            throw Misread(expected: "latitudes from -90 to 90, as west,south,east,north")
        }
        guard numbers[1] <= numbers[3] else {
            throw Misread(expected: "south before north, as west,south,east,north")
        }
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
