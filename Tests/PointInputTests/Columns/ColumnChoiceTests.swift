import PointInput
import Points
import Testing

/// Which columns of Parquet and Arrow files are read, and as what.
struct ColumnChoiceTests {
    @Test func `a dictionary has the extension of its values`() throws {
        let reading = try Samples.read("Columns/extended.feather")
        #expect(abs((reading.points.first?.x ?? 0) - 10) < 1e-6)
        let id = AttributeValue.text("00000000-0000-0000-0000-000000000007")
        #expect(reading.points.map(\.attributes) == [["id": id], ["id": id]])
    }

    @Test func `run ends and unions are not taken for lists`() throws {
        let reading = try Samples.read("Columns/runs.feather")
        #expect(reading.points.map(\.attributes) == [["n": .integer(5)], ["n": .integer(6)]])
        let notes = [
            "left out the column “runs”, which is run-end encoded; cast it to the type of its values",
            "left out the column “either”, of a type without attributes",
            "left out the lists of “lists”",
        ]
        for note in notes {
            #expect(reading.report.notes.contains { $0.hasSuffix(": \(note)") }, "\(note)")
        }
        #expect(reading.report.notes.count == notes.count)
        let error = #expect(throws: InputError.self) {
            try Samples.read("Columns/runs.feather") { $0.xColumn = "runs" }
        }
        #expect(error?.description.hasSuffix("the column runs is run-end encoded") == true)
    }

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

    @Test func `a column of points in structures is named twice`() throws {
        let reading = try Samples.read("Columns/structures.parquet") {
            ($0.xColumn, $0.yColumn) = ("other", "other")
        }
        #expect(reading.points == [ReadPoint(3, 4, [:])])
    }

    @Test(arguments: [nil, "wkt"]) func `texts are geometries as in a CSV file`(name: String?)
        throws
    {
        let reading = try Samples.read("Columns/texts.parquet") {
            ($0.xColumn, $0.yColumn) = (name, name)
        }
        #expect(reading.report.rejected == [.noLocation: 2])
        let places = reading.points.map {
            [$0.x.rounded(), $0.y, Double($0.attributes["n"] == nil ? 1 : 0)]
        }
        #expect(
            places == [[1, 2, 0], [3, 4, 0], [10, 0, 0], [5, 6, 0], [7, 8, 0], [9, 10, 0]])
    }

    @Test func `texts that the file declares as geometries are in the system that it names`() throws
    {
        let points = try Samples.read("Columns/texts.feather").points
        #expect(abs((points.first?.x ?? 0) - 10) < 1e-6)
        #expect(points.first?.attributes == ["geometry": .text("a")])
    }
}
