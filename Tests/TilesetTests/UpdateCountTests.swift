import Foundation
import JSON
import Testing
import TileArchive

@testable import Tileset

/// How changes are understood, and what of them is counted.
struct UpdateCountTests {
    @Test func `what became of each change is counted`() throws {
        let living = try LivingPoints.small()
        var request = UpdateRequest()
        request.deletions = [.number(0), .number(77)]
        request.leaves = ["==", ["id"], 1]
        request.sources = [
            try living.write(
                [
                    living.line(of: 2), LivingPoints.removal(of: 88), LivingPoints.removal(of: 3),
                    living.line(of: living.add()),
                ], to: "changes.geojsonl")
        ]
        let report = try living.update(request)
        #expect((report.added, report.replaced, report.removed, report.unknown) == (1, 1, 3, 2))
        #expect(report.build.layers[0].points == 3 && report.changes.records == 4)
    }

    @Test(arguments: [nil, "job"])
    func `changes whose values are of other kinds are warned of`(job: String?) throws {
        let living = try LivingPoints("{}", ending: ".mbtiles", seed: 9)
        for _ in 0..<5 { _ = living.add() }
        if let job { (living.job, living.cellZoom) = (living.path(job), 1) }
        try living.build(to: living.archive)
        var request = UpdateRequest()
        request.sources = [
            try living.write(["lon,lat,n,kind", "1,2,3,inn", "3,4,NA,bar"], to: "changes.csv")
        ]
        let report = try living.update(request)
        #expect(
            report.warnings.first
                == "\(living.path("changes.csv")): n is a text, but a number in \(living.archive); "
                + "filters and counts tell them apart, and --type n:number reads those alike that are numbers"
        )
        #expect(report.changes.notes.count(where: { $0.contains("n is a text") }) == 1)
    }

    @Test func `a build that replaces an archive takes the points of that one away`() throws {
        let living = try LivingPoints.small()
        let kept = living.keptFiles
        var options = living.options
        options.replacesExisting = true
        let recipe = try TilesetUpdate.recipe(of: Archive(path: living.archive))
        options.sourceDirectory = living.folder.path
        _ = living.add()
        _ = try living.write(living.points.keys.sorted().map(living.line), to: "points.geojsonl")
        _ = try TilesetBuild(recipe, to: living.archive, options: options).run()
        #expect(living.keptFiles.count == 1 && living.keptFiles != kept)
        options.keepsPoints = false
        _ = try TilesetBuild(recipe, to: living.archive, options: options).run()
        #expect(living.keptFiles == [])
    }

    @Test func `the last of several changes of a point counts`() throws {
        let living = try LivingPoints.small()
        let first = living.line(of: 2)
        living.points[2] = living.anyPoint()
        let last = living.line(of: 2)
        var request = UpdateRequest()
        request.sources = [
            try living.write(
                [
                    first, LivingPoints.removal(of: 2), last, living.line(of: 3),
                    LivingPoints.removal(of: 3),
                ], to: "changes.geojsonl")
        ]
        let report = try living.update(request)
        #expect((report.added, report.replaced, report.removed) == (0, 1, 1))
        living.points[3] = nil
        try living.build(to: living.path("new.mbtiles"))
        #expect(
            try living.contents(of: living.archive)
                == living.contents(of: living.path("new.mbtiles")))
    }

    @Test(arguments: 0..<8)
    func `each record of random changes is counted once`(seed: UInt64) throws {
        let living = try LivingPoints(
            [
                "tiles": ["maxZoom": 2],
                "layer": ["clusters": ["radius": 40], "filter": ["!=", ["get", "n"], 7]],
            ], ending: ".mbtiles", seed: seed)
        if seed > 4 { living.job = living.path("job") }
        for _ in 0..<20 { _ = living.add() }
        try living.build(to: living.archive)
        var lines: [String] = []
        for _ in 0..<60 {
            let id = living.number(below: 30)
            living.points[id] = living.anyPoint()
            if living.chance(4) { living.points[id]?.number = 7 }
            lines.append(living.chance(5) ? LivingPoints.removal(of: id) : living.line(of: id))
            if living.chance(9) { lines.append(lines[0].replacing(/"id":\d+,/, with: "")) }
        }
        var request = UpdateRequest()
        request.deletions = (0..<5).map { _ in .number(living.number(below: 30)) }
        request.leaves = ["==", ["get", "n"], 3]
        request.sources = [try living.write(lines, to: "changes.geojsonl")]
        let report = try living.update(request)
        let told = try #require(report.json.asObject?["update"]?.asObject)
        func count(_ key: String) -> Int { Int(told[key]?.asNumber ?? -1e9) }
        let rejected = told["rejected"]?.asObject?.members.compactMap(\.value.asNumber) ?? []
        let parts = ["added", "replaced", "superseded", "marked", "leaving"].map(count)
        #expect(count("records") == lines.count && report.superseded > 5)
        #expect(parts.reduce(0, +) + Int(rejected.reduce(0, +)) == lines.count, "\(told)")
    }

    @Test func `points are told apart by an attribute, however it is spelled`() throws {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": 2], "layer": ["clusters": ["radius": 40]]], ending: ".mbtiles",
            seed: 1)
        for number in 0..<5 {
            let id = living.add()
            living.points[id]?.number = 10 + number
        }
        try living.build(to: living.archive)
        var request = UpdateRequest()
        request.identity = .attribute("n")
        request.deletions = [PointKey(spelling: "10"), PointKey(spelling: "010")]
        request.sources = [living.path("changes.csv")]
        _ = try living.write(["lon,lat,n,delete", ",,11,true", "1,2,12,false"], to: "changes.csv")
        let report = try living.update(request)
        #expect((report.replaced, report.removed, report.unknown) == (1, 2, 1))
    }
}
