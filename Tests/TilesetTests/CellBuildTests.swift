import Foundation
import JSON
import Recipes
import TestSupport
import TileArchive
import Testing

@testable import Tileset

/// That a build in cells writes the archive that a build in one piece writes.
struct CellBuildTests {
    @Test(arguments: 0..<6)
    func `random builds in cells have the bytes of builds in one piece`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let layers = (0..<Int.random(in: 1...2, using: &random)).map { index in
            let towns = SamplePoint.towns(
                Int.random(in: 1...250, using: &random), seed: 10 * seed + UInt64(index))
            return (
                points: Self.weighted(Self.paired(towns, using: &random)),
                settings: Self.settings(using: &random)
            )
        }
        var tiles: JSONObject = [
            "maxZoom": .integer(Int64.random(in: 4...9, using: &random)),
            "buffer": .integer([0, 8, 64].randomElement(using: &random)!),
        ]
        if Bool.random(using: &random) {
            tiles["maxFeatures"] = .integer(Int64.random(in: 1...40, using: &random))
        }
        if Int.random(in: 0..<3, using: &random) == 0 {
            tiles["variableDepth"] = true
        } else {
            if Int.random(in: 0..<3, using: &random) == 0 { tiles["heat"] = true }
            if Int.random(in: 0..<2, using: &random) == 0 { tiles["spread"] = 30 }
        }
        let builds = try Builds(layers, tiles: .object(tiles))
        let whole = try builds.build("whole.mbtiles")
        var cells = CellOptions()
        cells.zoom = Int.random(in: 1...3, using: &random)
        cells.margin = [nil, 0, 2].randomElement(using: &random)!
        let cut = try builds.build("cut.mbtiles", cells)
        #expect(
            try builds.areSame("whole.mbtiles", "cut.mbtiles"),
            "\(layers.map(\.settings)), \(tiles), \(cells)")
        #expect(whole.zooms == cut.zooms)
        #expect(whole.leftOutTiles == cut.leftOutTiles)
        #expect(whole.layers.map(\.clusters) == cut.layers.map(\.clusters))
        #expect(whole.layers.map(\.heldClusters) == cut.layers.map(\.heldClusters))
    }

    @Test(arguments: [UInt64(0), 1])
    func `an archive whose blocks have indexes is the same from cells`(seed: UInt64) throws {
        let fields: JSONValue = ["bbox", "unique_location"]
        let builds = try Builds(
            [
                (
                    SamplePoint.towns(4_500, seed: 20 + seed),
                    ["clusters": ["radius": 40, "fields": fields, "aggregates": ["s": "sum:n"]]]
                )
            ], tiles: ["maxZoom": 7])
        _ = try builds.build("whole.pmtiles", in: PMTiles.self)
        var cells = CellOptions()
        cells.zoom = 1
        _ = try builds.build("cut.pmtiles", cells, in: PMTiles.self)
        for ending in ["pmtiles", "clusters.pmtiles"] {
            #expect(try builds.areSame("whole.\(ending)", "cut.\(ending)"), "\(ending)")
        }
    }

    @Test func `counts by value and time are the same from cells, whichever points a cell has`()
        throws
    {
        var points = SamplePoint.towns(3_000, seed: 31)
        for index in points.indices {
            // So many that some are others, most of them in one place.
            points[index].properties.append(("street", .string("s\(index % 100)")))
            if index % 11 == 0 { continue }
            let seconds = 1_600_000_000 + Int64(index) * 31_337
            points[index].properties.append(("when", .integer(seconds)))
        }
        let builds = try Builds(
            [
                (
                    points,
                    [
                        "clusters": [
                            "radius": 40, "facetZone": "Europe/Zurich",
                            "facets": ["street", "when:month", "kind*when:week", "when:day"],
                        ]
                    ]
                )
            ], tiles: ["maxZoom": 6])
        let whole = try builds.build("whole.mbtiles")
        var cells = CellOptions()
        cells.zoom = 2
        let cut = try builds.build("cut.mbtiles", cells)
        #expect(try builds.areSame("whole.mbtiles", "cut.mbtiles"))
        #expect(whole.layers[0].facets == cut.layers[0].facets)
        #expect(whole.layers[0].facets[0].axes[0].otherValues > 0)
        #expect(whole.layers[0].facets[1].axes[0].hasNone)
    }

    @Test func `points that carry much have smaller blocks, cut or whole`() throws {
        var random = SeededRandom(seed: 8)
        let light = SamplePoint.towns(300, seed: 12)
        let heavy = SamplePoint.towns(700, seed: 11).enumerated().map { index, point in
            var point = point
            // Some much more than others.
            let words = (0..<(index % 20 == 0 ? 500 : 20)).map { _ in "\(random.next())" }
            point.properties.append(("text", .string(words.joined())))
            return point
        }
        let builds = try Builds(
            [(light, ["clusters": ["radius": 40]]), (heavy, ["clusters": ["radius": 40]])],
            tiles: ["maxZoom": 5])
        var cells = CellOptions()
        cells.zoom = 2
        for kind: any ArchiveContainer.Type in [MBTiles.self, PMTiles.self] {
            _ = try builds.build("whole.\(kind.endings[0])", in: kind)
            _ = try builds.build("cut.\(kind.endings[0])", cells, in: kind)
        }
        for ending in ["mbtiles", "pmtiles", "clusters.pmtiles"] {
            #expect(try builds.areSame("whole.\(ending)", "cut.\(ending)"), "\(ending)")
        }
        let archive = try Archive(path: builds.path("cut.mbtiles"))
        let table = try archive.leafBlockTable()
        #expect(table.leafCount == 1_000)
        let sizes = (0..<table.count).map { table.leaves(ofBlock: $0) }
        #expect(sizes.filter { $0.lowerBound < 300 } == [0..<300])
        #expect(sizes.filter { $0.lowerBound >= 300 }.allSatisfy { $0.count <= 500 })
    }

    @Test func `steps in any order of tasks give the same archive, and what is done stays`() throws
    {
        let builds = try Builds(
            [(SamplePoint.towns(300, seed: 4), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 7]
        )
        _ = try builds.build("whole.mbtiles")
        let cells = try builds.plan(zoom: 2)
        #expect(throws: JobError.self) { try cells.top() }
        let shares = [2, 1, 3].compactMap { CellBuild.Share($0, of: 3) }
        for share in shares { try cells.cluster(share) }
        #expect(throws: JobError.self) { try cells.tiles() }
        try cells.top()
        #expect(throws: JobError.self) { try cells.index() }
        for share in shares.reversed() { try cells.tiles(share) }
        #expect(try cells.status().next == "index")
        #expect(throws: JobError.self) { try cells.layOut() }
        for share in shares { try cells.index(share) }
        #expect(try cells.status().next == "merge")
        for name in ["first.mbtiles", "second.mbtiles"] {
            _ = try cells.merge(to: builds.path(name), in: MBTiles.self)
            #expect(try builds.areSame("whole.mbtiles", name))
        }
    }

    @Test func `what is damaged, missing or another job's is refused by name`() throws {
        let builds = try Builds(
            [(SamplePoint.towns(100, seed: 5), ["clusters": ["radius": 40]])], tiles: ["maxZoom": 5]
        )
        var options = BuildOptions()
        options.cells.zoom = 1
        options.cells.folder = builds.path("job")
        _ = try builds.build("cut.mbtiles", options.cells)
        let other = try Builds(
            [(SamplePoint.towns(100, seed: 6), ["clusters": ["radius": 41]])], tiles: ["maxZoom": 5]
        )
        #expect(throws: JobError.plannedOtherwise(folder: builds.path("job"))) {
            try TilesetBuild(other.recipe, to: "", options: options).planCells()
        }
        let tiles = "\(try Self.files(of: builds.path("job")))/tiles/1-0-0"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: tiles))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(fileURLWithPath: tiles))
        #expect(throws: JobError.damaged(path: tiles)) {
            try builds.build("again.mbtiles", options.cells)
        }
        try FileManager.default.removeItem(atPath: tiles)
        _ = try builds.build("again.mbtiles", options.cells)
        #expect(try builds.areSame("again.mbtiles", "cut.mbtiles"))
        let plan = URL(fileURLWithPath: builds.path("job/plan.json"))
        let text = try String(contentsOf: plan, encoding: .utf8)
        try text.replacingOccurrences(of: "\"version\":\(JobFile.version)", with: "\"version\":99")
            .write(to: plan, atomically: true, encoding: .utf8)
        #expect(throws: JobError.otherVersion(path: plan.path)) {
            try CellBuild(in: builds.path("job"), options: options)
        }
    }
}
