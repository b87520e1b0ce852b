import Geometry
import JSON
import Testing
import TileArchive
import Tileset

/// All that an archive of two layers says of itself, word for word.
struct GoldenMetadataTests {
    @Test func `layers and their fields are listed in their order`() throws {
        let layers = try AccountTests.built.get().metadata.vectorLayers.map { layer in
            let fields = layer.fields.map { "\($0.name) \($0.type)" }.joined(separator: ", ")
            return "\(layer.id) \(layer.minZoom ?? 99)-\(layer.maxZoom ?? 99): \(fields)"
        }
        #expect(
            layers == [
                "a 0-4: flag Boolean, kind String, n Number",
                "b 0-4: cluster Boolean, cluster_id Number, point_count Number, "
                    + "point_count_abbreviated String, expansion_zoom Number, point_weight Number, "
                    + "sqrt_point_count Number, size Number",
            ])
    }

    @Test func `statistics are these`() throws {
        let metadata = try AccountTests.built.get().metadata
        let layers = try #require(metadata.tileStats?.asObject?["layers"]?.asArray)
        let attributes = layers.map { layer in
            (layer.asObject?["attributes"]?.asArray ?? []).map { $0.text() }
        }
        #expect(
            attributes == [
                [
                    #"{"attribute":"flag","count":2,"type":"boolean","values":[false,true]}"#,
                    #"{"attribute":"kind","count":2,"type":"string","values":["x","y"]}"#,
                    #"{"attribute":"n","count":3,"type":"number","values":[1,2.5,7],"min":1,"max":7}"#,
                ],
                [
                    #"{"attribute":"cluster","count":1,"type":"boolean","values":[true]}"#,
                    #"{"attribute":"cluster_id","count":3,"type":"number","values":[4748350486216707,4758593983217667,4766284122161155],"min":4748350486216707,"max":4766284122161155}"#,
                    #"{"attribute":"point_count","count":2,"type":"number","values":[2,3],"min":2,"max":3}"#,
                    #"{"attribute":"point_count_abbreviated","count":2,"type":"string","values":["2","3"]}"#,
                    #"{"attribute":"expansion_zoom","count":1,"type":"number","values":[4],"min":4,"max":4}"#,
                    #"{"attribute":"point_weight","count":2,"type":"number","values":[2,3],"min":2,"max":3}"#,
                    #"{"attribute":"sqrt_point_count","count":2,"type":"number","values":[1.41,1.73],"min":1.41,"max":1.73}"#,
                    #"{"attribute":"size","count":7,"type":"number","values":[0,1,2,3,4,5,6],"min":0,"max":6}"#,
                ],
            ])
    }

    @Test func `layers follow each other without a gap, with as many clusters as they have`()
        throws
    {
        let built = try AccountTests.built.get()
        let layers = try #require(try built.metadata.clusterDescription?.get()).layers.map {
            "\($0.name) \($0.leaves) \($0.clusterCount ?? -1) \($0.minZoom)-\($0.maxZoom)"
        }
        #expect(layers == ["a 0..<3 0 0--1", "b 3..<10 3 0-3"])
    }

    /// To the digit: who compares archives compares these.
    @Test func `bounds and center are written so`() throws {
        let rows = try AccountTests.built.get().metadata.rows
        let places = rows.filter { ["bounds", "center"].contains($0.name) }
        #expect(
            places.map(\.value) == [
                "-9.999963,-30.00014,140.000154,50.000017", "100.0001,10,1",
            ])
    }

    @Test func `features of a tile stand in their order`() throws {
        let tiles = try AccountTests.built.get().tiles
        let tile = try #require(tiles[TileID(z: 0, x: 0, y: 0)])
        let features = tile.layers.map { layer in
            "\(layer.name): " + layer.features.map { "\($0.id ?? 0)" }.joined(separator: " ")
        }
        #expect(
            features == ["a: 500 499 498", "b: 4748350486216707 4758593983217667 4766284122161155"])
    }

    /// Five points eight degrees apart are one cluster down to the zoom at which the map opens, and two
    /// others one at every zoom.
    @Test func `a map opens on the largest marker that it shows then`() throws {
        let cross = [(0.0, 0.0), (8, 0), (-8, 0), (0, 8), (0, -8), (100, 40), (100.0001, 40)]
        let baked = try BakedArchive(
            cross.map { SamplePoint(place: LonLat(longitude: $0.0, latitude: $0.1)) },
            layer: ["clusters": ["radius": 40]], tiles: ["maxZoom": 6])
        #expect(baked.nodes(at: 1).map(\.pointCount).sorted() == [2, 5])
        #expect(baked.nodes(at: 2).map(\.pointCount).sorted() == [1, 1, 1, 1, 1, 2])
        #expect(baked.archive.metadata.centerZoom == 1)
        let center = try #require(baked.archive.metadata.center)
        #expect(abs(center.longitude) < 9 && abs(center.latitude) < 9)
    }
}
