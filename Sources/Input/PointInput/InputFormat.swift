/// A format that points are read from.
public enum InputFormat: String, Sendable, CaseIterable {
    /// GeoJSON in any arrangement: a collection, single objects, text sequences, one object a line.
    case geoJSON = "geojson"
    /// Comma-, semicolon- or tab-separated values.
    case csv
    /// An SQLite database, such as a GeoPackage.
    case sqlite
    case flatGeobuf = "flatgeobuf"
    /// A stream of Arrow's record batches, or a file that contains one (Feather).
    case arrow
    /// Columns in compressed pages, such as GeoParquet.
    case parquet
    /// The formats of GDAL: shapefiles, KML, GPX, spreadsheets, databases by their GDAL names.
    case gdal

    /// Whether it is text, which may have any encoding.
    var isText: Bool { self == .geoJSON || self == .csv }

    /// The name of the format.
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

    /// The word for one record of the format in messages.
    public var recordNoun: String {
        switch self {
        case .geoJSON, .flatGeobuf, .gdal: "feature"
        case .csv, .sqlite, .arrow, .parquet: "row"
        }
    }
}
