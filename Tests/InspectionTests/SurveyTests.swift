import Foundation
import Geometry
import Inspection
import JSON
import Testing
import TileArchive

/// The figures of `inspect`, held against the sample that the archive was made from.
struct SurveyTests {
    @Test func `figures by zoom are those of the sample`() throws {
        let file = try SampleFile()
        var order: [Int] = []
        let survey = try Survey(of: file.archive, threads: 2) { order.append($0.zoom) }
        #expect(order == Array(0...SampleArchive.maxZoom))
        for zoom in survey.zooms {
            let nodes = file.sample.levels[zoom.zoom]
            #expect(zoom.points == 1_500)
            #expect(zoom.clusters == nodes.count { $0.count > 1 })
            #expect(zoom.features - zoom.copies == nodes.count)
            #expect(zoom.largestCluster?.points ?? 1 == nodes.map(\.count).max())
            #expect(zoom.sizeClasses.reduce(0, +) == zoom.tiles)
        }
    }

    @Test func `tiles and bytes are those of the list`() throws {
        let file = try SampleFile()
        let survey = try Survey(of: file.archive, threads: 3)
        var tiles: [SizedTile] = []
        try file.archive.listTiles { tiles.append($0) }
        #expect(survey.tiles == tiles.count)
        for zoom in survey.zooms {
            let mine = tiles.filter { Int($0.tile.z) == zoom.zoom }
            #expect(zoom.bytes == mine.reduce(0) { $0 + $1.bytes })
            #expect(zoom.largest?.bytes == mine.map(\.bytes).max())
            #expect(zoom.smallest?.bytes == mine.map(\.bytes).min())
        }
        let heaviest = try file.archive.heaviestTiles(7).map(\.bytes)
        #expect(heaviest == Array(tiles.map(\.bytes).sorted(by: >).prefix(7)))
    }

    @Test func `a box leaves out the tiles that it does not touch`() throws {
        let file = try SampleFile()
        let box = LonLatBox(west: 1, south: 1, east: 20, north: 20)
        var listed: Set<TileID> = []
        try file.archive.listTiles(zooms: 3...3, in: box) { listed.insert($0.tile) }
        #expect(listed == [TileID(z: 3, x: 4, y: 3)])
    }

    @Test func `parts of a layer's bytes add up`() throws {
        let file = try SampleFile()
        let layer = try #require(try Survey(of: file.archive, threads: 2).layers.first)
        let attributes = layer.attributes.reduce(0) { $0 + $1.bytes }
        #expect(attributes == layer.keyBytes + layer.valueBytes + layer.tagBytes)
        #expect(
            layer.geometryBytes + layer.tagBytes + layer.keyBytes + layer.valueBytes < layer.bytes)
        let names = layer.attributes.first { $0.name == "name" }
        #expect(names?.kinds == .string)
    }

    @Test func `each node of a zoom is listed once`() throws {
        let file = try SampleFile()
        var text: [UInt8] = []
        try file.archive.listNodes(atZoom: 3, threads: 2) { text += $0 }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        let counts = lines.compactMap { Int($0.split(separator: " ")[0]) }.sorted()
        #expect(counts == file.sample.levels[3].map(\.count).sorted())
    }

    @Test(arguments: [0, 3, 5])
    func `GeoJSON of a zoom is one collection without copies`(zoom: Int) throws {
        let file = try SampleFile()
        var text: [UInt8] = []
        try file.archive.listFeatures(atZoom: zoom, threads: 2) { text += $0 }
        let json = try JSONNode(JSONValue(parsing: text.span))
        let features = try json.required("features").elements
        #expect(features.count == file.sample.levels[zoom].count)
        let names = try features.compactMap {
            try $0.required("properties").member("name")?.string
        }
        #expect(Set(names).count == names.count)
    }

    @Test func `a tile's report has its features where the sample has them`() throws {
        let file = try SampleFile()
        let tile = TileID(z: 0, x: 0, y: 0)
        let report = try TileReport(tile, of: file.archive)
        let layer = try #require(report.content.layers.first)
        #expect(layer.features.count == file.sample.levels[0].count)
        for (feature, leaves) in zip(layer.features, file.sample.levels[0]) {
            let position = file.sample.place(of: leaves).worldPoint
            let found = try #require(feature.geometry?.positions.first)
            #expect(abs(Double(found.x) - position.x * 4096) <= 0.5)
            #expect(abs(Double(found.y) - position.y * 4096) <= 0.5)
        }
        #expect(throws: InspectionError.noTile(path: file.path, TileID(z: 9, x: 0, y: 0))) {
            try TileReport(TileID(z: 9, x: 0, y: 0), of: file.archive)
        }
    }
}
