import JSON
import Testing
import VectorTile

@testable import TileService

/// Which tiles a style looks at: those that the zoom before leads to, wherever the middle of the map is.
struct SampledPlaceTests {
    /// A cluster in the unit square of the world.
    private typealias Node = (layer: String, x: Double, y: Double, count: UInt64)

    /// The tiles of a zoom that have these clusters.
    private static func tiles(
        _ zoom: Int, of nodes: [Node]
    ) -> [(z: Int, x: Int, row: Int, [UInt8])] {
        let side = Double(1 << zoom)
        let places = Dictionary(grouping: nodes) { [Int($0.x * side), Int($0.y * side)] }
        return places.map { place, nodes in
            var builder = TileBuilder()
            for (layer, nodes) in Dictionary(grouping: nodes, by: \.layer) {
                builder.beginLayer(layer, extent: 4_096)
                let key = builder.key("point_count")
                for (number, node) in nodes.enumerated() {
                    let (x, y) = (
                        node.x * side - Double(place[0]), node.y * side - Double(place[1])
                    )
                    builder.beginPoint(
                        id: UInt64(number), x: Int32(4_096 * x), y: Int32(4_096 * y))
                    builder.addTag(key, .uint(node.count))
                    builder.endFeature()
                }
                builder.endLayer()
            }
            return (zoom, place[0], (1 << zoom) - 1 - place[1], builder.copyBytes())
        }
    }

    private static func style(
        _ zooms: ClosedRange<Int>, _ nodes: (_ zoom: Int) -> [Node]
    ) throws -> JSONNode {
        let folder = try SampleFolder()
        try folder.writeForeign(
            "c.mbtiles",
            metadata: [
                "name": "c", "format": "pbf", "minzoom": "\(zooms.lowerBound)",
                "maxzoom": "\(zooms.upperBound)", "center": "0,0,0",
                "json": #"{"vector_layers":[{"id":"a","fields":{}},{"id":"b","fields":{}}]}"#,
            ], tiles: zooms.flatMap { tiles($0, of: nodes($0)) })
        return try folder.service().json("/c/style.json")
    }

    private static func paint(
        _ style: JSONNode, _ id: String, _ key: String
    ) throws -> [JSONValue] {
        let layer = try style.required("layers").elements.first {
            try $0.required("id").string == id
        }
        return try #require(layer).required("paint").required(key).value.asArray ?? []
    }

    @Test func `layers that are far from the middle and from each other are followed down`() throws
    {
        let style = try Self.style(0...6) { zoom in
            let counts = [UInt64(2_000 >> zoom), UInt64(4_000 >> zoom)]
            return [
                ("a", 0.002, 0.002, counts[0]), ("a", 0.01, 0.002, counts[1]),
                ("b", 0.99, 0.002, counts[0]), ("b", 0.998, 0.99, counts[1]),
            ]
        }
        for layer in ["a", "b"] {
            let steps = try Self.paint(style, "c/\(layer)-clusters", "circle-radius")
            let zooms = steps.enumerated().filter { $0.offset > 2 && $0.offset % 2 == 1 }
            #expect(zooms.map(\.element) == [1, 2, 3, 4, 5, 6], "\(layer)")
            let heat = try Self.paint(style, "c/\(layer)-heat", "heatmap-intensity")
            #expect(heat.count == 3 + 2 * 7, "\(layer)")
        }
    }

    @Test func `classes hold their share of all clusters, and not of those in the middle`() throws {
        // Villages all around and a town in the middle, at zooms whose tiles cannot all be read.
        var nodes: [Node] = []
        for index in 0..<1_024 {
            let (x, y) = (Double(index % 32) + 0.5, Double(index / 32) + 0.5)
            nodes.append(("a", x / 32, y / 32, UInt64(2 + index % 4)))
        }
        for index in 0..<36 {
            let (x, y) = (Double(index % 6) - 2.5, Double(index / 6) - 2.5)
            nodes.append(("a", 0.5 + x / 200, 0.5 + y / 200, 5_000))
        }
        let style = try Self.style(2...5) { _ in nodes }
        // One in thirty is in the town, so all classes begin below it, at every zoom alike.
        let steps = try Self.paint(style, "c/a-clusters", "circle-radius")
        #expect(steps.count == 9 && steps.first == "step", "\(steps)")
        let counts = zip(steps, 0...).filter { $1 > 2 && $1 % 2 == 1 }.map(\.0.asNumber)
        #expect(counts == [4, 5, 6], "\(steps)")
    }
}
