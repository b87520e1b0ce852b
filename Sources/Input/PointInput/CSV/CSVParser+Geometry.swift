extension CSVParser {
    /// Reads a cell with a geometry.
    mutating func readGeometry() {
        let geometry = GeometryText(cell.text(bytes), &builder, declared: nil)
        coordinates.positions = geometry.positions
        if let fault = geometry.fault { coordinates.fault = fault }
    }

    /// Reads a cell with a latitude and a longitude, or with a geometry.
    mutating func readLatitudeFirst() {
        let text = String(decoding: cell.text(bytes), as: UTF8.self)
        guard let (x, y) = CoordinateText.latitudeFirst(text) else { return readGeometry() }
        builder.use(declared: nil)
        coordinates.positions = [x, y]
    }

    /// Reads a cell with a geohash, which represents the middle of its square.
    mutating func readGeohash() {
        let text = String(decoding: cell.text(bytes), as: UTF8.self).trimmingSpaces
        guard !text.isEmpty else { return }
        guard let (x, y) = CoordinateText.geohash(text) else {
            coordinates.fault = (.badCoordinates, "has \(Snippet.of(text)), which is no geohash")
            return
        }
        coordinates.positions = [x, y]
    }
}
