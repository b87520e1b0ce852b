import JSON

/// GeoParquet's description of a file's geometries, from the text `geo` of its footer; Arrow files
/// may have it as well.
struct GeoMetadata {
    /// The primary geometry of the file, if it declares one.
    private(set) var primaryColumn: String?
    private(set) var columns: [String: Column] = [:]

    struct Column {
        var geometry: ColumnField.Geometry?
        /// Nil if it declares none, whatever is usual then.
        var crs: CoordinateSystem?
        /// The columns with the boxes of geometries, which repeat the points: west, south, east,
        /// north.
        var covering: [String] = []
    }

    /// Nil if the text is not a JSON object.
    init?(_ text: String) {
        guard let geo = try? JSONValue(parsing: text).asObject else { return nil }
        primaryColumn = geo["primary_column"]?.asString
        for member in geo["columns"]?.asObject?.members ?? [] {
            if let column = member.value.asObject { columns[member.key] = Column(column) }
        }
    }

    /// Adds the metadata of a column, or of a part of a structure.
    func describe(_ field: inout ColumnField) {
        for (name, column) in columns {
            if column.covering.contains(field.name) { field.sideOf = name }
            let isWhole = field.name == name
            let isPart = field.name.hasPrefix("\(name).")
            guard isWhole || isPart, column.geometry == (isWhole ? .wellKnown : .points)
            else {
                continue
            }
            field.geometry = column.geometry
            // Without a word here a column keeps its own: Parquet's type GEOMETRY and GeoArrow declare one.
            field.crs = column.crs ?? field.crs
            field.isPrimary = name == primaryColumn
        }
    }
}

extension GeoMetadata.Column {
    fileprivate init(_ object: JSONObject) {
        switch object["encoding"]?.asString {
        case "WKB", nil: geometry = .wellKnown
        case "point": geometry = .points
        // Lines and areas as lists.
        default: break
        }
        crs = object["crs"].flatMap { CoordinateSystem(declared: $0) }
        guard let box = object["covering"]?.asObject?["bbox"]?.asObject else { return }
        covering = ["xmin", "ymin", "xmax", "ymax"].map { side in
            (box[side]?.asArray ?? []).compactMap(\.asString).joined(separator: ".")
        }
    }
}
