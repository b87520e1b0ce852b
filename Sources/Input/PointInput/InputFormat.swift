/// The formats that points are read from.
public enum InputFormat: String, Sendable, CaseIterable {
    /// GeoJSON of any arrangement: a collection, single objects, text sequences, one object a line.
    case geoJSON = "geojson"
    /// Comma-, semicolon- or tab-separated values.
    case csv
    /// An SQLite database, a GeoPackage among them.
    case sqlite
    case flatGeobuf = "flatgeobuf"
    /// A stream of Arrow's record batches, or a file that holds one (Feather).
    case arrow
    /// Columns in packed pages, GeoParquet among them.
    case parquet
    /// What GDAL reads: shapefiles, KML, GPX, spreadsheets, databases by their GDAL names.
    case gdal

    /// What it is called.
    public var title: String {
        switch self {
        case .geoJSON: "GeoJSON"
        case .csv: "CSV"
        case .sqlite: "SQLite and GeoPackage"
        case .flatGeobuf: "FlatGeobuf"
        case .arrow: "Arrow"
        case .parquet: "Parquet"
        case .gdal: "what GDAL reads"
        }
    }

    /// What one record of the format is called in messages.
    public var recordNoun: String {
        switch self {
        case .geoJSON, .flatGeobuf, .gdal: "feature"
        case .csv, .sqlite, .arrow, .parquet: "row"
        }
    }
}
