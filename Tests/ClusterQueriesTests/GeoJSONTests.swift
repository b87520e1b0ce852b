import ArchiveContract
import ClusterQueries
import Geometry
import JSON
import MessageTiles
import Testing
import TileArchive
import VectorTile

struct GeoJSONTests {
    private static func corners(_ places: [(Double, Double)]) -> [WorldPoint] {
        places.map { WorldPoint(LonLat(longitude: $0.0, latitude: $0.1)) }
    }

    @Test func `a hull is a point, a line, or a ring that runs counterclockwise`() {
        let one = GeoJSON.hull(Self.corners([(10, 20)]))
        #expect(one == ["type": "Point", "coordinates": [10, 20]])
        let two = GeoJSON.hull(Self.corners([(10, 20), (12, 20)]))
        #expect(two == ["type": "LineString", "coordinates": [[10, 20], [12, 20]]])
        let square = GeoJSON.hull(Self.corners([(0, 0), (0, 4), (4, 4), (4, 0)]))
        let ring = square.asObject?["coordinates"]?.asArray?.first?.asArray ?? []
        #expect(ring.count == 5 && ring.first == ring.last)
        let numbers = ring.map { $0.asArray?.compactMap(\.asNumber) ?? [] }
        let area = zip(numbers, numbers.dropFirst()).reduce(0) {
            $0 + $1.0[0] * $1.1[1] - $1.1[0] * $1.0[1]
        }
        #expect(abs(area - 32) < 1e-6)
    }

    @Test func `numbers keep their worth, and positions a centimetre`() {
        #expect(TileValue.uint(.max).json.text() == "18446744073709551615")
        #expect(TileValue.uint(7).json == 7 && TileValue.sint(-7).json == -7)
        #expect(TileValue.double(2).json == 2 && TileValue.float(0.5).json == 0.5)
        #expect(TileValue.bool(true).json == true && TileValue.string("a").json == "a")
        #expect(
            GeoJSON.degrees(1.23456784) == 1.2345678 && GeoJSON.degrees(1.23456786) == 1.2345679)
    }

    @Test func `a collection says how many there are, where that is known`() {
        #expect(
            GeoJSON.collection([]).text()
                == #"{"type":"FeatureCollection","numberReturned":0,"features":[]}"#)
        let page = GeoJSON.collection([1], total: 9, next: 3).asObject
        #expect(page?["numberMatched"] == 9 && page?["next"] == 3 && page?["numberReturned"] == 1)
    }

    @Test func `a collection that is written in parts is the same`() {
        for total: Int64? in [nil, 9] {
            for features: [JSONValue] in [[], [[:]], [["a": []], ["b": [1]]]] {
                let (head, tail) = GeoJSON.frame(count: Int64(features.count), total: total)
                let parts = features.map { $0.text() }.joined(separator: ",")
                #expect(head + parts + tail == GeoJSON.collection(features, total: total).text())
            }
        }
    }

    @Test func `what is no single point weighs nothing, and what follows does`() throws {
        let tile = Tile(layers: [
            Tile.Layer(
                name: "l",
                features: [
                    Tile.Feature(type: .lineString, geometry: [9, 2, 2, 10, 4, 4]),
                    Tile.Feature(type: .point, geometry: [17, 2, 2, 2, 2]),
                    Tile.Feature(
                        type: .point, geometry: [9, 4_096, 2_048],
                        tags: [Tile.Tag("point_count", .uint(5))]),
                    Tile.Feature(type: .point, geometry: [9, 0, 8_192]),
                ])
        ])
        let weights = try TileFeatures(tile.packed()).weights()["l"] ?? []
        #expect(weights.map(\.count) == [5, 1])
        #expect(weights.map(\.x) == [0.5, 0] && weights.map(\.y) == [0.25, 1])
    }

    @Test func `nodes are told as their tiles have them, or as the index knows them`() throws {
        let sample = try ClusterQueryTests.sample.get()
        var query = try ClusterQuery(sample.archive)
        let record = sample.clusters[0]
        let tile = TileID(holding: record.position.worldPoint.wrapped, zoom: 0)
        let nodes: [ClusterNode] = [.cluster(record), .leaf(3)]
        var drawn = DrawnNodes(nodes, at: 0, zooms: 0...6, query.description)
        #expect(drawn.tiles == [tile])
        let bare = try drawn.features(&query).map { JSONNode($0) }
        let id = sample.id(of: record)
        #expect(try bare[0].required("id").integer == id)
        let properties = try bare[0].required("properties")
        #expect(try properties.required("cluster_id").integer == id)
        #expect(try properties.required("point_count").integer == record.leafCount)
        #expect(try properties.required("point_count_abbreviated").string == "10k")
        #expect(try properties.required("expansion_zoom").integer == 1)
        #expect(try bare[1].required("id").integer == 10)
        #expect(try bare[1].required("properties").required("number").integer == 3)
        var builder = TileBuilder()
        builder.beginLayer("drawn")
        builder.beginPoint(id: UInt64(id), x: 1, y: 1)
        builder.addTag(builder.key("sum"), .uint(12))
        builder.endFeature()
        builder.endLayer()
        try drawn.read(TileFeatures(builder.copyBytes()), of: tile)
        let told = try JSONNode(drawn.features(&query)[0])
        #expect(try told.required("properties").required("sum").integer == 12)
        #expect(try told.required("layer").string == "drawn")
        // Tiles begin too deep for some, and what is still together past the last is drawn there.
        #expect(DrawnNodes(nodes, at: 2, zooms: 3...6, query.description).tiles.isEmpty)
        let deepest = TileID(holding: record.position.worldPoint.wrapped, zoom: 6)
        #expect(DrawnNodes(nodes, at: 7, zooms: 0...6, query.description).tiles == [deepest])
        #expect(throws: ClusterQueryError.self) {
            try drawn.read(TileFeatures([0x1A, 9]), of: tile)
        }
    }
}
