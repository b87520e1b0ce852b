import Foundation
import JSON
import Testing
import Tileset

/// What an update makes of an archive is what a build makes of the points.
struct UpdateTests {
    private static let recipes: [JSONValue] = [
        ["tiles": ["maxZoom": 6], "layer": ["clusters": ["radius": 40]]],
        [
            "tiles": ["maxZoom": 5],
            "layer": [
                "clusters": [
                    "radius": 60, "algorithm": "greedy", "minPoints": 3,
                    "aggregates": ["sum": "sum:n", "kinds": "mode:kind"],
                ]
            ],
        ],
        ["tiles": ["maxZoom": 4], "layer": ["clusters": ["radius": 50, "groupBy": "kind"]]],
        [
            "tiles": ["maxZoom": 5, "spread": true],
            "layer": ["clusters": ["weight": "n"], "filter": [">", ["get", "n"], 4]],
        ],
        ["layer": ["clusters": ["radius": 30, "maxZoom": 4], "dedupe": "place"]],
        ["tiles": ["maxZoom": 4], "layer": ["clusters": ["order": "input"]]],
    ]

    /// A few changes at random: points that come, move and go, some of them more than once.
    private static func changes(_ living: LivingPoints) throws -> UpdateRequest {
        var (lines, deletions) = ([String](), [PointKey]())
        for _ in 0...living.number(below: 12) {
            let id = living.someID
            switch living.number(below: 5) {
            case 0, 1: lines.append(living.line(of: living.add()))
            case 2, 3:
                guard let id else { continue }
                living.points[id] = living.anyPoint()
                lines.append(living.line(of: id))
            default:
                guard let id, living.points.count > 1 else { continue }
                living.points[id] = nil
                // A line of a list counts before all files.
                if living.chance(2), !lines.contains(where: { $0.contains(#""id":\#(id),"#) }) {
                    deletions.append(.number(id))
                } else {
                    lines.append(LivingPoints.removal(of: id))
                }
            }
        }
        var request = UpdateRequest()
        request.sources = [try living.write(lines, to: "changes.geojsonl")]
        request.deletions = deletions
        return request
    }

    #if DEBUG
        private static let seeds: [UInt64] = [0, 2, 3, 5, 7]
    #else
        private static let seeds: [UInt64] = Array(0..<12)
    #endif

    @Test(arguments: seeds)
    func `an archive after changes is the one that a build gives`(seed: UInt64) throws {
        let recipe = Self.recipes[Int(seed) % Self.recipes.count]
        let ending = [".mbtiles", ".pmtiles", "/"][Int(seed / 2) % 3]
        let living = try LivingPoints(recipe, ending: ending, seed: seed)
        let isOrdered = seed % 6 == 5
        if seed % 6 < 4, seed % 4 > 1 { living.cellZoom = 2 }
        for _ in 0..<[3, 40, 400][Int(seed) % 3] { _ = living.add() }
        try living.build(to: living.archive, shuffled: !isOrdered)
        for _ in 0..<4 {
            let request = try Self.changes(living)
            _ = try living.update(request)
            #expect(living.keptFiles.count == 1)
            guard !isOrdered else { continue }
            let anew = living.path("new") + living.ending
            try living.build(to: anew)
            #expect(
                try living.contents(of: living.archive) == living.contents(of: anew),
                "seed \(seed), \(living.points.count) points")
            let kept = living.keptFiles
            #expect(kept.count == 2 && kept[0].suffix(16) == kept[1].suffix(16))
            for output in living.container.outputs(at: anew) + [living.path(kept[1])] {
                try? FileManager.default.removeItem(atPath: output)
            }
        }
    }

    @Test func `with the order of the input points are replaced where they stood`() throws {
        let living = try LivingPoints(Self.recipes[5], ending: ".mbtiles", seed: 9)
        for _ in 0..<60 { _ = living.add() }
        try living.build(to: living.archive, shuffled: false)
        for id in stride(from: UInt64(3), to: 60, by: 7) {
            living.points[id] = living.anyPoint()
        }
        living.points[11] = nil
        let new = living.add()
        var request = UpdateRequest()
        let moved = stride(from: UInt64(59), to: 3, by: -7).map(living.line)
        request.sources = [
            try living.write(
                moved + [living.line(of: 3), LivingPoints.removal(of: 11), living.line(of: new)],
                to: "changes.geojsonl")
        ]
        _ = try living.update(request)
        try living.build(to: living.path("new.mbtiles"), shuffled: false)
        #expect(
            try living.contents(of: living.archive)
                == living.contents(of: living.path("new.mbtiles")))
    }
}
