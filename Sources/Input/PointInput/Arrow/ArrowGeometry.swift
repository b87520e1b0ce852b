import JSON

/// GeoArrow's description of a column: its extension's name, and the coordinate system as JSON.
struct ArrowGeometry {
    /// Whether a value is a whole geometry, as bytes or as a text.
    let isWhole: Bool
    let isPoint: Bool
    let crs: CoordinateSystem?

    init(_ texts: [String: String]) {
        let name = texts["ARROW:extension:name"] ?? ""
        isWhole = ["geoarrow.wkb", "ogc.wkb", "geoarrow.wkt"].contains(name)
        isPoint = name == "geoarrow.point"
        let metadata = texts["ARROW:extension:metadata"]
            .flatMap { try? JSONValue(parsing: $0).asObject }
        crs = metadata?["crs"].flatMap { CoordinateSystem(declared: $0) }
    }
}
