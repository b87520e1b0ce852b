import PointInput
import Points
import Testing

/// Which columns of Parquet and Arrow files are read, and as what.
struct ColumnChoiceTests {
    @Test func `only the boxes of the geometries that are read are left out`() throws {
        let others = ["xmin", "ymin", "xmax", "ymax"].map { "others.\($0)" }
        let reading = try Samples.read("Columns/boxes.parquet")
        #expect(
            reading.points.first?.attributes.keys.sorted() == (["bbox.label"] + others).sorted())
        let named = try Samples.read("Columns/boxes.parquet") {
            ($0.xColumn, $0.yColumn) = ("other", "other")
        }
        let boxes = ["xmin", "ymin", "xmax", "ymax", "label"].map { "bbox.\($0)" }
        #expect(named.points.first?.attributes.keys.sorted() == boxes.sorted())
    }

    @Test(arguments: [
        #"[">", ["get", "bbox.xmin"], 0]"#: 1, #"[">", ["get", "bbox.xmin"], 5]"#: 0,
    ])
    func `a filter sees sides of boxes`(text: String, count: Int) throws {
        let filter = try filter(parsing: text)
        let reading = try Samples.read("Columns/boxes.parquet") { $0.filter = filter }
        #expect(reading.points.count == count)
    }

    @Test func `sides of boxes that are asked for are attributes`() throws {
        let included = try Samples.read("Columns/boxes.parquet") { $0.included = ["bbox.xmin"] }
        #expect(included.points.map(\.attributes) == [["bbox.xmin": .integer(1)]])
        let asked = try Samples.read("Columns/boxes.parquet") { $0.asked = ["bbox.ymax"] }
        #expect(asked.points.first?.attributes["bbox.ymax"] == .integer(2))
        #expect(asked.points.first?.attributes["bbox.xmin"] == nil)
    }
}
