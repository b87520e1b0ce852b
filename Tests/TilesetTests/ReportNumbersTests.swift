import Foundation
import Geometry
import JSON
import MessageTiles
import Recipes
import TestSupport
import Testing
import TileArchive
import VectorTile

@testable import Tileset

/// Each number of a report, held against what lies in the archive.
struct ReportNumbersTests {
    private struct Kind {
        var name: String
        var tiles: JSONValue
        var clusters: JSONValue
        var cellZoom: Int?
    }

    private static let kinds: [Kind] = [
        Kind(name: "a.mbtiles", tiles: ["maxZoom": 7], clusters: ["radius": 40]),
        Kind(name: "b.pmtiles", tiles: ["maxZoom": 6, "minZoom": 2], clusters: ["radius": 80]),
        Kind(
            name: "c.mbtiles", tiles: ["maxZoom": 8, "variableDepth": true],
            clusters: ["maxZoom": 4]),
        Kind(name: "d.mbtiles", tiles: ["maxZoom": 7], clusters: ["radius": 40], cellZoom: 2),
    ]

    /// A build, and what brute force counts in it.
    private struct Built {
        var report: BuildReport
        var zooms: [UInt8: BuildReport.Zoom] = [:]
        var sizes: [(tile: TileID, bytes: Int, features: Int)] = []
        var fileBytes = 0
        var told: [BuildProgress] = []
    }

    private static func build(_ kind: Kind, _ points: [SamplePoint]) throws -> Built {
        let folder = try TemporaryFolder.make()
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appending(path: "in.geojsonl").path
        try points.map(\.line).joined(separator: "\n").write(
            toFile: input, atomically: true, encoding: .utf8)
        let recipe = try Recipe(
            reading: JSONNode([
                "tiles": kind.tiles,
                "layers": [
                    ["name": "a", "sources": [.string(input)], "clusters": kind.clusters]
                ],
            ]))
        let path = folder.appending(path: kind.name).path
        var options = BuildOptions()
        options.cells.zoom = kind.cellZoom
        options.temporaryDirectory = folder.path
        let told = Told()
        let container = ArchiveContainers.container(named: path) ?? MBTiles.self
        let report = try TilesetBuild(recipe, to: path, in: container, options: options) {
            told.append($0)
        }.run()
        var built = Built(report: report, told: told.all)
        try count(try Archive(path: path), &built)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(kind.name) || name.hasPrefix(String(kind.name.prefix(2))) {
            let values = try FileManager.default.attributesOfItem(atPath: folder.path + "/" + name)
            built.fileBytes += (values[.size] as? Int) ?? 0
        }
        return built
    }

    private static func count(_ archive: Archive, _ built: inout Built) throws {
        var lookup = try archive.openTiles()
        var scan = try archive.scan()
        while let id = try scan.next() {
            let tile = try #require(
                try lookup.inflatedTile(at: id, limit: 1 << 24).map { try Tile($0.span) })
            var zoom = built.zooms[id.z] ?? BuildReport.Zoom(zoom: id.z)
            zoom.tiles += 1
            zoom.bytes += scan.bytes.count
            var features = 0
            for layer in tile.layers {
                features += layer.features.count
                for feature in layer.features {
                    let drawn = DrawnFeature(feature, in: id, extent: layer.extent)
                    guard drawn.isOwn else { continue }
                    if drawn.isCluster { zoom.clusters += 1 } else { zoom.points += 1 }
                    zoom.pointCount += drawn.pointCount
                    if drawn.isCluster {
                        zoom.largestCluster = max(zoom.largestCluster, drawn.pointCount)
                    }
                }
            }
            built.zooms[id.z] = zoom
            built.sizes.append((id, scan.bytes.count, features))
        }
    }

    @Test(arguments: 0..<4)
    func `a report counts what is in the archive`(kind: Int) throws {
        let points = SamplePoint.towns(700, seed: UInt64(kind) + 60)
        let built = try Self.build(Self.kinds[kind], points)
        let report = built.report
        #expect(report.zooms == built.zooms.values.sorted { $0.zoom < $1.zoom })
        #expect(report.tileCount == built.sizes.count)
        #expect(report.tileBytes == built.sizes.reduce(0) { $0 + $1.bytes })
        #expect(report.fileBytes == built.fileBytes)
        let largest = built.sizes.sorted { ($0.bytes, $1.tile) > ($1.bytes, $0.tile) }.prefix(5)
        #expect(report.largestTiles.map(\.tile) == largest.map(\.tile))
        #expect(report.largestTiles.map(\.bytes) == largest.map(\.bytes))
        #expect(report.largestTiles.map(\.features) == largest.map(\.features))
        let layer = report.layers[0]
        #expect(layer.name == "a" && layer.points == 700 && layer.heldClusters == 0)
        #expect(layer.input.records == 700 && layer.input.kept == 700)
        #expect(layer.skippedValues.isEmpty && !report.clusterIDsMayEqualPointIDs)
        #expect((report.cells == nil) == (Self.kinds[kind].cellZoom == nil))
        if let cells = report.cells {
            #expect(cells.points == 700 && cells.loadedPoints >= 700 && cells.cells > 1)
            #expect(cells.loadedShare == Double(cells.loadedPoints) / 700)
            #expect(cells.clustered == cells.cells && cells.rounds == 1)
        }
        try Self.check(report.json)
        try Self.checkStages(built)
    }

    /// That what machines are told is what the report has.
    private static func check(_ json: JSONValue) throws {
        let object = try #require(json.asObject)
        let zooms = object["zooms"]?.asArray?.compactMap(\.asObject) ?? []
        func sum(_ key: String) -> JSONValue {
            .integer(zooms.reduce(0) { $0 + Int64($1[key]?.asNumber ?? -1e9) })
        }
        #expect(object["tiles"] == sum("tiles") && object["tile_bytes"] == sum("tile_bytes"))
        #expect(zooms.allSatisfy { ($0["point_count"]?.asNumber ?? 0) <= 700 })
        let layer = try #require(object["layers"]?.asArray?.first?.asObject)
        #expect(layer["points"] == 700 && layer["records"] == 700 && layer["kept"] == 700)
        #expect(layer["points_read"] == 700 && layer["duplicates"] == 0)
        #expect(layer["rejected"] == [:] && layer["skipped_values"] == [:])
        let largest = object["largest_tiles"]?.asArray?.compactMap(\.asObject) ?? []
        #expect(largest.count == 5)
    }

    private static func checkStages(_ built: Built) throws {
        let stages = built.report.stages
        let order = stages.compactMap { BuildStage.allCases.firstIndex(of: $0.stage) }
        #expect(Set(order).count == stages.count && order.first == 0)
        #expect(stages.last?.stage == .finish)
        #expect(stages.allSatisfy { $0.seconds >= 0 && $0.seconds < 100 && $0.peakBytes > 1 << 20 })
        let told = built.told.filter { $0.stage == .tiles && $0.total != nil }
        #expect(told.allSatisfy { $0.done <= $0.total ?? 0 })
        for stage in BuildStage.allCases {
            let done = built.told.filter { $0.stage == stage && $0.subject == nil }.map(\.done)
            #expect(done == done.sorted(), "\(stage)")
        }
    }

    @Test func `tiles that are left out are those that a full archive has besides`() throws {
        let points = SamplePoint.towns(300, seed: 5)
        var kind = Self.kinds[2]
        let thin = try Self.build(kind, points)
        kind.tiles = ["maxZoom": 8]
        let full = try Self.build(kind, points)
        #expect(thin.report.leftOutTiles.values.reduce(0, +) > 100)
        #expect(full.report.leftOutTiles.isEmpty)
        for (zoom, summary) in full.zooms {
            let left = thin.report.leftOutTiles[zoom] ?? 0
            #expect((thin.zooms[zoom]?.tiles ?? 0) + left == summary.tiles, "zoom \(zoom)")
        }
        let told = thin.report.json.asObject?["left_out_tiles"]
        #expect(told == .integer(Int64(thin.report.leftOutTiles.values.reduce(0, +))))
    }

    @Test func `a cut build tells of its cells from none to all of them, stage by stage`() throws {
        let kind = try #require(Self.kinds.last { $0.cellZoom != nil })
        let built = try Self.build(kind, SamplePoint.towns(200, seed: 12))
        let cells = try #require(built.report.cells).cells
        for stage in [BuildStage.cluster, .tiles] {
            let told = built.told.filter { $0.stage == stage && $0.unit == "cells" }
            // What is above the cells is clustered and has tiles, too.
            let all = try #require(told.first?.total)
            #expect(all >= cells && told.allSatisfy { $0.total == all }, "\(stage)")
            #expect(told.filter { $0.subject == nil }.map(\.done) == Array(0...all), "\(stage)")
            #expect(told.filter { $0.subject != nil }.allSatisfy { $0.done == 0 }, "\(stage)")
        }
    }

    /// Gathers what a build tells on its way.
    final class Told: @unchecked Sendable {
        private let lock = NSLock()
        private var entries: [BuildProgress] = []

        var all: [BuildProgress] { lock.withLock { entries } }
        func append(_ entry: BuildProgress) { lock.withLock { entries.append(entry) } }
    }
}
