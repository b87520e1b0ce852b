extension CoordinateSystem {
    /// The system that an authority numbers so; nil for one that is not read here.
    init?(organization: String, code: Int) {
        switch (organization.uppercased(), code) {
        // CRS84 is EPSG:4326 with longitude first, which is the order of these formats anyway.
        case ("EPSG", 4326), ("OGC", 84): self = .lonLat
        // The names that Web Mercator had before it got its number.
        case ("EPSG", 3857), ("EPSG", 900_913), ("ESRI", 102_100), ("EPSG", 102_100):
            self = .webMercator
        default: return nil
        }
    }
}
