import ArchiveContract
import Foundation
import Geometry
import JSON
import PointInput
import Points
import Recipes
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// What is known of points that stay, and what is said of an update of them.
struct KeptPartTests {
    private let url: URL
    private let folder: JobFolder

    init() throws {
        url = try TemporaryFolder.make()
        folder = try JobFolder(url.path)
        try FileManager.default.createDirectory(
            at: url.appending(path: "parts"), withIntermediateDirectories: true)
    }

    private func put(_ part: String) throws {
        try Data().write(to: url.appending(path: "parts/\(part).head"))
    }

    private func plan(points: String?, parts: [String], before: KeptParts? = nil) throws -> JobPlan
    {
        let recipe = try Recipe(
            reading: JSONNode(["layers": [["name": "a", "sources": ["a.csv"]]]]))
        var cells = CellOptions()
        cells.zoom = 0
        let choice = CellChoice(
            PointCounts(), [], hierarchies: 1, nodeLimit: 0, cells: cells)
        var plan = JobPlan(
            recipe: recipe, generator: "g", ZoomPlan(recipe.tiles, maxZoom: 3, reason: ""),
            names: [], greatestID: nil, layers: [JobPlan.Layer()], choice, cells, sources: [],
            content: 0, parts: parts)
        (plan.points, plan.before) = (points, before)
        return plan
    }

    @Test func `points are those of a plan or of the one before, by their sum, where they are`()
        throws
    {
        defer { try? FileManager.default.removeItem(at: url) }
        let before = KeptParts(sum: "b", parts: ["0-b", "0-c"])
        let plan = try plan(points: "a", parts: ["0-a"], before: before)
        #expect(plan.kept == KeptParts(sum: "a", parts: ["0-a"]))
        #expect(try self.plan(points: nil, parts: ["0-a"]).kept == nil)
        #expect(plan.kept(as: "a", in: folder) == nil && plan.kept(as: "b", in: folder) == nil)
        #expect(plan.keptBefore(in: folder) == plan.kept)
        try put("0-b")
        #expect(plan.kept(as: "b", in: folder) == nil)
        try put("0-c")
        #expect(plan.kept(as: "b", in: folder) == before && plan.keptBefore(in: folder) == before)
        #expect(plan.kept(as: "a", in: folder) == nil)
        try put("0-a")
        #expect(
            plan.kept(as: "a", in: folder) == plan.kept && plan.kept(as: "c", in: folder) == nil)
        #expect(try self.plan(points: "a", parts: ["0-a"]).keptBefore(in: folder)?.sum == "a")
    }

    @Test func `a job after another takes from it once its own clusters are there`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        var plan = try plan(points: nil, parts: [])
        #expect(plan.job(in: folder) == plan.job)
        plan.after = "ab"
        #expect(plan.job(in: folder) == "ab")
        let files = JobFiles(folder, job: plan.job)
        try files.makeFolder("top")
        try Data().write(to: URL(filePath: files.top))
        #expect(plan.job(in: folder) == plan.job)
    }

    @Test(
        arguments: [
            (["sum": "s", "parts": ["0-ab", "1-12"]], true), (["sum": "s", "parts": []], true),
            (["sum": "s"], false), (["parts": []], false), (["sum": 1, "parts": []], false),
            (["sum": "s", "parts": ["0-ab", "../x"]], false),
            (["sum": "s", "parts": ["ab"]], false),
            (["sum": "s", "parts": ["0-xy"]], false), ([], false),
        ] as [(JSONValue, Bool)])
    func `parts are read back where they are names of parts`(json: JSONValue, isRead: Bool) {
        defer { try? FileManager.default.removeItem(at: url) }
        let parts = KeptParts(json)
        #expect((parts != nil) == isRead)
        if let parts { #expect(parts.json == json && KeptParts(parts.json) == parts) }
    }

    /// Two archives of some points, told apart by what is decided for all of them.
    private static func differences(
        _ old: [SamplePoint], _ new: [SamplePoint], zooms: (Int64?, Int64?) = (4, 4),
        clusters: JSONValue = ["radius": 40]
    ) throws -> [String] {
        let archives = try zip([old, new], [zooms.0, zooms.1]).map { points, zoom in
            let tiles: JSONValue = zoom.map { ["maxZoom": .integer($0)] } ?? [:]
            let builds = try CellBuildTests.Builds(
                [(points, ["clusters": clusters])], tiles: tiles)
            _ = try builds.build("a.mbtiles")
            return (builds, try Archive(path: builds.path("a.mbtiles")))
        }
        return withExtendedLifetime(archives) {
            PlanFacts.differences(archives[0].1.metadata, archives[1].1.metadata)
        }
    }

    @Test func `archives differ by their deepest zoom, by attributes, and by counts by value`()
        throws
    {
        defer { try? FileManager.default.removeItem(at: url) }
        let points = SamplePoint.towns(40, seed: 3)
        #expect(try Self.differences(points, points.reversed()).isEmpty)
        #expect(
            try Self.differences(points, points, zooms: (4, 5))
                == ["the deepest zoom was 4 and is 5"])
        var others = points
        others[0].properties.append(("new", .string("x")))
        #expect(
            try Self.differences(points, others) == [
                "attribute new of layer layer0 is new (String)"
            ])
        #expect(
            try Self.differences(others, points) == [
                "attribute new of layer layer0 is gone (String)"
            ])
        others = points
        others[0].properties[0].1 = .string("x")
        #expect(
            try Self.differences(points, others)
                == ["attribute n of layer layer0 was Number and is String"])
        others = points
        others[0].properties[1].1 = .string("a kind of its own")
        #expect(try Self.differences(points, others).isEmpty)
        let found = try Self.differences(
            points, others, clusters: ["radius": 40, "facets": ["kind"]])
        #expect(found.count == 1 && found[0].hasPrefix("the values of facet "), "\(found)")
        #expect(found[0].hasSuffix(" of layer layer0, or their order, changed"))
    }

    @Test func `an update tells machines what became of each change`() throws {
        defer { try? FileManager.default.removeItem(at: url) }
        let living = try LivingPoints.small()
        var request = UpdateRequest()
        request.deletions = [.number(0), .number(77), .number(78), .number(79)]
        request.leaves = ["==", ["id"], 1]
        request.sources = [
            try living.write(
                [living.line(of: 2)] + (0..<5).map { _ in living.line(of: living.add()) },
                to: "changes.geojsonl")
        ]
        let report = try living.update(request)
        let object = try #require(report.json.asObject)
        #expect(
            object["update"] == [
                "added": 5, "replaced": 1, "removed": 2, "unknown": 3, "records": 6,
                "superseded": 0, "marked": 0, "leaving": 0, "rejected": [:], "notes": [],
            ])
        #expect(object["tiles"] == report.build.json.asObject?["tiles"] && object["tiles"] != nil)
        #expect(report.pointsTaken == nil)
    }
}
