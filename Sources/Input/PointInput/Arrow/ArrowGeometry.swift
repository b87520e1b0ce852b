import JSON

/// GeoArrow's description of a column: its extension's name, and the coordinate system as JSON.
struct ArrowGeometry {
    let isBinary: Bool
    let isPoint: Bool
    let crs: CoordinateSystem?

    init(_ texts: [String: String]) {
        let name = texts["ARROW:extension:name"] ?? ""
        isBinary = name == "geoarrow.wkb" || name == "ogc.wkb"
        isPoint = name == "geoarrow.point"
        let metadata = texts["ARROW:extension:metadata"]
            .flatMap { try? JSONValue(parsing: $0).asObject }
        crs = metadata?["crs"].flatMap { CoordinateSystem(declared: $0) }
    }
}
