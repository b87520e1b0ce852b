import PointInput
import Testing

/// Which coordinate system counts in Parquet and Arrow files; the samples are 10° east in Web Mercator.
struct ColumnSystemTests {
    @Test(arguments: ["crs-native.parquet", "crs-beside.feather"])
    func `a column's own system counts if GeoParquet's text names none`(name: String) throws {
        let point = try Samples.read("Columns/\(name)").points.first
        #expect(abs((point?.x ?? 0) - 10) < 1e-6)
    }

    @Test func `the option counts if nothing names a system`() throws {
        let reading = try Samples.read("Columns/crs-none.parquet") { $0.crs = .webMercator }
        #expect(abs((reading.points.first?.x ?? 0) - 10) < 1e-6)
        #expect(reading.report.notes == [])
        let error = #expect(throws: InputError.self) {
            try Samples.read("Columns/crs-none.parquet")
        }
        #expect(error?.description.contains("name their system, as --crs EPSG:25832 does") == true)
    }

    @Test func `what is said of a system that the input declares is no option`() {
        func answer(_ x: String, _ y: String) -> String? {
            complaint(
                about: #"{"type":"FeatureCollection","crs":{"type":"name","properties":"#
                    + #"{"name":"EPSG:4326"}},"features":[{"type":"Feature","properties":{},"#
                    + #""geometry":{"type":"Point","coordinates":[\#(x),\#(y)]}}]}"#,
                name: "a.json"
            ) { $0.crs = .webMercator }
        }
        #expect(
            answer("500000", "5300000")?.contains(
                "; these look like metres, but the input declares degrees (EPSG:4326): name their system "
                    + "in it, as ogr2ogr -a_srs EPSG:25832 OUT IN does") == true)
        #expect(
            answer("32392345", "5820123")?.contains("are those of ogr2ogr -a_srs EPSG:4647 OUT IN")
                == true)
    }
}
