import Testing

@testable import PointInput

/// What GeoParquet says of the columns of a file.
struct GeoMetadataTests {
    @Test func `all members of a structure of points are its geometry`() throws {
        let text = #"""
            {"primary_column": "place", "columns": {"place": {"encoding": "point"}, "b": {"encoding": "WKB"}}}
            """#
        let geo = try #require(GeoMetadata(text))
        let kinds: [(String, ColumnField.Geometry?)] = [
            ("place.x", .points), ("place.y", .points), ("place.z", .points), ("places.x", nil),
            ("b", .wellKnown), ("b.x", nil),
        ]
        for (name, geometry) in kinds {
            var field = ColumnField(name: name, kind: .double)
            geo.describe(&field)
            #expect(field.geometry == geometry, "\(name)")
        }
    }
}
