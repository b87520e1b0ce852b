/// A column of a table, a view or a query.
struct DatabaseColumn {
    var name: String
    /// The type as it was declared, in upper case; empty where an expression gives the values.
    var declaredType: String
    var isPrimaryKey: Bool
    /// Whether its values are computed when they are read.
    var isComputed = false

    /// Whether 0 and 1 stand for false and true (OGC 12-128r19 table 1; GDAL's INTEGER_BOOLEAN).
    var isBoolean: Bool { declaredType.contains("BOOL") }

    /// Whether its whole numbers are the features' ids (OGC 12-128r19 2.1.6.1.1).
    var isFeatureID: Bool {
        isPrimaryKey ? declaredType == "INTEGER" : ["fid", "ogc_fid"].contains(name.lowercased())
    }

    /// The name as an SQL identifier.
    var quoted: String { Self.quoted(name) }

    static func quoted(_ name: String) -> String {
        "\""
            + name.split(separator: "\"", omittingEmptySubsequences: false)
            .joined(separator: "\"\"") + "\""
    }
}

/// Where a row has its coordinates.
enum DatabaseCoordinates: Equatable {
    /// A column of binary geometries.
    case geometry(Int)
    case columns(x: Int, y: Int)
}
