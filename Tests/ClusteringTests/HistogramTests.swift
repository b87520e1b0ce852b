import Clustering
import Points
import Testing

struct HistogramTests {
    @Test func `values that read alike are one category`() throws {
        let values: [AttributeValue] = [
            .integer(1), .text("1"), .bool(true), .text("true"), .number(2.5), .text("2.5"),
            .text("x"), .text("1"),
        ]
        let points = values.map { value in
            Samples.Point(position: EdgeTests.pair[0], attributes: [("v", value)])
        }
        var options = ClusterOptions(radius: 50, maxZoom: 0)
        options.aggregates = try ["h=histogram:v", "d=distinct:v"].map {
            try Aggregate(parsing: $0)
        }
        let tree = try ClusterTree(of: Samples.table(points), options: options)
        var written: [String] = []
        var cursor = tree.attributes[0].makeCursor()
        while let attribute = cursor.next() {
            let name = tree.attributes.keys.name(of: attribute.key)
            written.append("\(name) \(attribute.value.number ?? .nan)")
        }
        // Numbers come before texts, texts before truth values.
        #expect(
            written == ["h:1 3.0", "h:2.5 2.0", "h:true 2.0", "h:x 1.0", "d 7.0"])
    }
}
