import Foundation
import JSON
import Recipes
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// What is said on the way of a build, by whichever road, against what comes of it.
struct ProgressTests {
    private typealias Builds = CellBuildTests.Builds
    private typealias Told = ReportNumbersTests.Told

    private static func builds() throws -> Builds {
        let layers = [(900, 41), (200, 42)].map { count, seed in
            (
                points: SamplePoint.towns(count, seed: UInt64(seed)),
                settings: ["clusters": ["radius": 40]] as JSONValue
            )
        }
        return try Builds(layers, tiles: ["minZoom": 1, "maxZoom": 6])
    }

    private static func run(
        _ builds: Builds, _ name: String, in container: any ArchiveContainer.Type = MBTiles.self,
        zoom: Int? = nil
    ) throws -> (report: BuildReport, told: [BuildProgress]) {
        let told = Told()
        var options = BuildOptions()
        options.cells.zoom = zoom
        let report = try TilesetBuild(
            builds.recipe, to: builds.path(name), in: container, options: options
        ) { told.append($0) }.run()
        return (report, told.all)
    }

    /// The stages in the order in which they are told of, each as often as it begins.
    private static func order(_ told: [BuildProgress]) -> [BuildStage] {
        told.map(\.stage).reduce(into: []) { if $0.last != $1 { $0.append($1) } }
    }

    private static func words(_ told: BuildProgress) -> String {
        "\(told.unit) \(told.done)/\(told.total.map { "\($0)" } ?? "-") \(told.subject ?? "")"
    }

    /// Tiles come zoom by zoom, and behind each all tiles so far have come.
    private static func checkTiles(
        _ told: [BuildProgress], _ report: BuildReport, total: Int?
    ) {
        let own = told.filter { $0.stage == .tiles && $0.unit == "tiles" }
        #expect(own.allSatisfy { $0.total == total })
        var sum = 0
        for zoom in report.zooms {
            sum += zoom.tiles
            let last = own.last { $0.subject == "z\(zoom.zoom)" }
            #expect(last?.done == sum, "zoom \(zoom.zoom)")
        }
        #expect(Set(own.map(\.subject)).count == report.zooms.count)
        let end = told.filter { $0.stage == .finish }.map(Self.words)
        #expect(end == ["tiles \(sum)/\(sum) "])
    }

    @Test func `a build in memory tells of bytes, zooms, tiles and points`() throws {
        let builds = try Self.builds()
        let (report, told) = try Self.run(builds, "a.mbtiles")
        #expect(Self.order(told) == [.read, .plan, .cluster, .layout, .tiles, .leaves, .finish])
        for layer in 0...1 {
            let input = builds.path("in\(layer).geojsonl")
            let read = told.filter { $0.stage == .read && $0.subject == input }
            let bytes = try builds.bytes("in\(layer).geojsonl").count
            #expect(read.last?.done == bytes && read.allSatisfy { $0.total == bytes })
            let zooms = told.filter { $0.stage == .cluster && $0.subject == "layer\(layer)" }
            #expect(zooms.map(Self.words) == (0..<5).map { "zooms \($0)/5 layer\(layer)" })
        }
        #expect(told.filter { $0.stage == .read }.allSatisfy { $0.unit == "bytes" })
        for stage in [BuildStage.plan, .layout] {
            #expect(told.filter { $0.stage == stage }.map(Self.words) == [" 0/- "])
        }
        Self.checkTiles(told, report, total: nil)
        let leaves = told.filter { $0.stage == .leaves }
        #expect(leaves.allSatisfy { $0.total == 1_100 && $0.unit == "points" })
        #expect(leaves.map(\.done) == [900, 1_100])
    }

    @Test func `a cut build tells of all points as blocks are made and as they are put together`()
        throws
    {
        let builds = try Self.builds()
        for (name, container) in [
            ("a.mbtiles", MBTiles.self), ("a.pmtiles", PMTiles.self),
        ] as [(String, any ArchiveContainer.Type)] {
            let (report, told) = try Self.run(builds, name, in: container, zoom: 1)
            let leaves = told.filter { $0.stage == .leaves }
            #expect(leaves.allSatisfy { $0.total == 1_100 && $0.unit == "points" })
            // Layers are made side by side, and put together one after the other.
            #expect([200, 900].contains(leaves.first?.done))
            #expect(leaves.map(\.done).dropFirst() == [1_100, 900, 1_100])
            let merging = told.filter { $0.stage == .tiles && $0.unit != "cells" }
            if container == PMTiles.self {
                #expect(Set(merging.map(Self.words)) == ["MB 0/0 "])
            } else {
                Self.checkTiles(told, report, total: report.tileCount)
            }
            let plan = told.filter { $0.stage == .plan }
            #expect(plan.map(Self.words) == [" 0/- "])
        }
    }

    /// Points that carry so much that the archive has some megabytes.
    private static func heavy() throws -> Builds {
        var random = SeededRandom(seed: 5)
        let points = SamplePoint.towns(1_500, seed: 43).map { point in
            var point = point
            let words = (0..<100).map { _ in String(random.next(), radix: 36) }
            point.properties.append(("text", .string(words.joined())))
            return point
        }
        return try Builds([(points, ["clusters": ["radius": 40]])], tiles: ["maxZoom": 2])
    }

    @Test func `bytes of an archive are told in whole megabytes, of those that are asked for`()
        throws
    {
        let builds = try Self.heavy()
        let told = Told()
        let cells = try builds.indexed(zoom: 1) { told.append($0) }
        let layout = try cells.layOut()
        let size = layout.sizes.reduce(0, +)
        #expect(size > 2_500_000)
        for range in [0..<size, 1_000_007..<size - 3] {
            let before = told.all.count
            var (done, sums) = (0, [Int]())
            try cells.write(range, of: layout) { bytes, _, _ in
                done += bytes.count
                sums.append(done / 1_000_000)
            }
            let own = told.all.dropFirst(before)
            #expect(own.map(\.done) == sums && sums.last == range.count / 1_000_000)
            #expect(
                own.allSatisfy {
                    $0.stage == .tiles && $0.unit == "MB" && $0.subject == nil
                        && $0.total == range.count / 1_000_000
                })
        }
        let before = told.all.count
        _ = try cells.merge(to: builds.path("a.pmtiles"), in: PMTiles.self)
        let own = told.all.dropFirst(before).filter { $0.unit == "MB" }
        #expect(own.last?.done == size / 1_000_000)
        #expect(own.allSatisfy { $0.stage == .tiles && $0.total == size / 1_000_000 })
    }

    @Test func `points of all units of an index add up while they are made side by side`() throws {
        let builds = try Builds(
            [(SamplePoint.towns(12_000, seed: 9), ["clusters": ["radius": 200]])],
            tiles: ["maxZoom": 4])
        let told = Told()
        let cells = try builds.tiled(zoom: 1, leavesInTask: 1) { told.append($0) }
        let sizes = try TopClusters(of: cells.job).tasks.map(\.leaves.count)
        #expect(sizes.count > 1 && sizes.reduce(0, +) == 12_000)
        let before = told.all.count
        try cells.index()
        let own = told.all.dropFirst(before)
        #expect(own.allSatisfy { $0.stage == .leaves && $0.total == 12_000 })
        #expect(own.map(\.done) == own.map(\.done).sorted() && own.last?.done == 12_000)
        #expect(own.count >= sizes.count && Set(own.map(\.done)).count == own.count)
        // What is there already is not told of again, but what the archive is put together of.
        let all = told.all.count
        _ = try cells.merge(to: builds.path("a.mbtiles"), in: MBTiles.self)
        let put = told.all.dropFirst(all).filter { $0.stage == .leaves }.map(\.done)
        #expect(put == sizes.indices.map { sizes[...$0].reduce(0, +) })
    }
}
