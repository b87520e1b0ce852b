import Foundation
import JSON
import Testing
import TileArchive

@testable import Tileset

/// An update of points that stay in the parts of a job.
struct PartUpdateTests {
    /// Points that were built in a job.
    static func living(
        _ clusters: JSONValue = ["radius": 40], count: Int = 1_100, seed: UInt64 = 3,
        ending: String = ".pmtiles"
    ) throws -> LivingPoints {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": 5], "layer": ["clusters": clusters]], ending: ending, seed: seed)
        for _ in 0..<count { _ = living.add() }
        (living.job, living.cellZoom) = (living.path("job"), 2)
        try living.build(to: living.archive)
        living.cellZoom = nil
        return living
    }

    /// Brings some points up to date, and holds the archive against one that is built at once.
    @discardableResult
    static func update(
        _ living: LivingPoints, _ ids: [UInt64], gone: [UInt64] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> UpdateReport {
        var request = UpdateRequest()
        if !ids.isEmpty {
            request.sources = [try living.write(ids.map(living.line), to: "changes.geojsonl")]
        }
        request.deletions = gone.map { .number($0) }
        let report = try living.update(request)
        try expectSame(living, sourceLocation: sourceLocation)
        return report
    }

    static func expectSame(
        _ living: LivingPoints, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let job = living.job
        living.job = nil
        defer { living.job = job }
        let anew = living.path("new") + living.ending
        try living.build(to: anew)
        #expect(
            try living.contents(of: living.archive) == living.contents(of: anew),
            sourceLocation: sourceLocation)
        for path in [anew] + living.keptFiles.filter({ $0.hasPrefix("new") }).map(living.path) {
            try FileManager.default.removeItem(atPath: path)
        }
        try? FileManager.default.removeItem(atPath: living.path("new.clusters.pmtiles"))
    }

    static func parts(_ living: LivingPoints) throws -> [String: (id: UInt64, bytes: Int)] {
        let folder = living.path("job/parts")
        var parts: [String: (id: UInt64, bytes: Int)] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder)
        where !name.contains(".") {
            let known = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
            parts[name] = (
                (known[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0,
                (known[.size] as? NSNumber)?.intValue ?? 0
            )
        }
        return parts
    }

    /// Otherwise the attribute that is renamed would get the next name.
    @Test(arguments: [false, true])
    func `an attribute that no point has any more takes no name`(isInJob: Bool) throws {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": 3], "layer": ["reservedNames": "rename"]], ending: ".pmtiles",
            seed: 4)
        for _ in 0..<60 { _ = living.add() }
        living.points[7]?.others = ["point_count"]
        living.points[8]?.others = ["input_point_count"]
        if isInJob { (living.job, living.cellZoom) = (living.path("job"), 1) }
        try living.build(to: living.archive)
        living.cellZoom = nil
        living.points[8] = nil
        try Self.update(living, [], gone: [8])
    }

    @Test func `only blocks with changed points are written again, and the file beside is small`()
        throws
    {
        let living = try Self.living(count: 4_000)
        let before = try Self.parts(living)
        #expect(before.count == 1)
        // Two that stand at one place lie in one block.
        let place = try #require(living.points[17]?.place)
        living.points[17]?.place.latitude = place.latitude / 2
        let report = try Self.update(living, [17])
        #expect(report.replaced == 1 && report.added == 0)
        let after = try Self.parts(living)
        #expect(after.count == 2)
        let old = try #require(before.values.first)
        let new = try #require(after.values.first { $0.id != old.id })
        #expect(after.values.contains { $0.id == old.id && $0.bytes == old.bytes })
        #expect(new.bytes < old.bytes / 4)
        let kept = try #require(living.keptFiles.first)
        #expect(living.keptFiles.count == 1)
        #expect(try Data(contentsOf: URL(filePath: living.path(kept))).count < 10_000)
    }

    @Test(arguments: [UInt64(1), 2])
    func `many updates one after another have few parts`(seed: UInt64) throws {
        let living = try Self.living(
            ["radius": 40, "aggregates": ["s": "sum:n"]], count: 1_300, seed: seed,
            ending: [".mbtiles", ".pmtiles", "/"][Int(seed) % 3])
        // The file beside the archive says where the job is.
        living.job = nil
        for _ in 0..<4 {
            var (changed, gone) = ([living.add(), living.add()], [UInt64]())
            for _ in 0..<living.number(below: 30) {
                let id = try #require(living.someID)
                if living.chance(3), !changed.contains(id) {
                    living.points[id] = nil
                    gone.append(id)
                } else {
                    living.points[id] = living.anyPoint()
                    changed.append(id)
                }
            }
            gone.removeAll(where: changed.contains)
            let report = try Self.update(living, changed, gone: gone)
            #expect(report.removed == gone.count)
            #expect(try Self.parts(living).count <= 3)
        }
    }

    @Test func `what only a point had that goes is known to be gone`() throws {
        let living = try Self.living(
            ["radius": 40, "groupBy": "kind", "facets": ["kind"]], count: 1_200)
        living.points[5]?.kind = "of its own"
        try Self.update(living, [5])
        // One far out, and the greatest id.
        living.points[5]?.kind = "inn"
        try Self.update(living, [5])
        let last = try #require(living.points.keys.max())
        living.points[last] = nil
        try Self.update(living, [], gone: [last])
        for id in living.points.keys.sorted().dropLast(2) { living.points[id] = nil }
        let left = Set(living.points.keys)
        try Self.update(living, [], gone: (0..<last).filter { !left.contains($0) })
        #expect(try Self.parts(living).count == 1)
        #expect(throws: UpdateError.noPointsLeft(layer: "points")) {
            try Self.update(living, [], gone: Array(left))
        }
        try Self.expectSame(living)
        try Self.update(living, [living.add()])
    }

    @Test func `what an expression is true of goes, wherever it lies`() throws {
        let living = try Self.living(count: 1_200)
        var request = UpdateRequest()
        request.leaves = ["<", ["get", "n"], 10]
        living.points = living.points.filter { $0.value.number >= 10 }
        #expect(try living.update(request).removed == 1_200 - living.points.count)
        try Self.expectSame(living)
    }

    @Test func `an update that is refused leaves the points of the archive where they were`() throws
    {
        let living = try Self.living()
        let before = living.points
        for _ in 0..<2 {
            living.points[3] = living.anyPoint()
            var request = UpdateRequest()
            request.sources = [try living.write([living.line(of: 3)], to: "changes.geojsonl")]
            let isAsked = TilesetUpdate(
                of: living.archive, request, options: living.options,
                preview: { _ in throw BuildError.cancelled })
            #expect(throws: BuildError.cancelled) { try isAsked.run() }
        }
        living.points = before
        try Self.expectSame(living)
        living.points[4] = living.anyPoint()
        #expect(try Self.update(living, [4]).pointsTaken == nil)
        #expect(try Self.parts(living).count == 2)
    }

    @Test func `a key that two points have or none is refused, and one of an attribute is found`()
        throws
    {
        let living = try Self.living()
        var request = UpdateRequest()
        request.identity = .attribute("kind")
        request.deletions = [PointKey(spelling: "inn")]
        #expect(throws: UpdateError.self) { try living.update(request) }
        request.identity = .attribute("none")
        #expect(throws: UpdateError.noKeys(identity: .attribute("none"), layer: "points")) {
            try living.update(request)
        }
        living.points[9]?.kind = "the one"
        try Self.update(living, [9])
        request.identity = .attribute("kind")
        request.deletions = [PointKey(spelling: "the one"), PointKey(spelling: "missing")]
        living.points[9] = nil
        let report = try living.update(request)
        #expect(report.removed == 1 && report.unknown == 1)
        try Self.expectSame(living)
    }
}
