import PointInput
import Testing

struct ReportTests {
    @Test func `a fault is placed by its line, or by its byte where all is one line`() {
        var place = RecordLocation(
            input: "a.geojson", noun: "feature", record: 7, line: 9, offset: 90)
        #expect(place.description == "a.geojson:9: feature 7")
        place.line = 1
        #expect(place.description == "a.geojson: byte 90: feature 7")
        place.offset = nil
        #expect(place.description == "a.geojson: feature 7")
    }
}
