/// A column of a table, a view or a query.
struct DatabaseColumn {
    var name: String
    /// The declared type in upper case; empty if the values come from an expression.
    var declaredType: String
    var isPrimaryKey: Bool
    /// Whether its values are computed when read.
    var isComputed = false

    /// Whether 0 and 1 mean false and true (OGC 12-128r19 table 1; GDAL's INTEGER_BOOLEAN).
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
