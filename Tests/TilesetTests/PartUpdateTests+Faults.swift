import Foundation
import Platform
import Synchronization
import Testing
import TileArchive

@testable import Tileset

/// Where the job of an archive's points is not as it was left.
extension PartUpdateTests {
    @Test func `an update that is given up anywhere leaves the points as they were`() throws {
        let living = try Self.living(["radius": 40, "groupBy": "kind"])
        living.points[7]?.kind = "of its own"
        try Self.update(living, [7])
        let before = try living.contents(of: living.archive)
        living.points[7]?.kind = "inn"
        var request = UpdateRequest()
        request.sources = [try living.write([living.line(of: 7)], to: "changes.geojsonl")]
        var limit = 1
        while true {
            let calls = Mutex(0)
            var options = living.options
            let most = limit
            options.isCancelled = {
                calls.withLock { calls in
                    calls += 1
                    return calls > most
                }
            }
            do {
                _ = try TilesetUpdate(of: living.archive, request, options: options).run()
                break
            } catch {
                // A sink says it in its own words.
                #expect(calls.withLock(\.self) > most, "\(error)")
                #expect(try living.contents(of: living.archive) == before)
            }
            limit += limit / 2 + 3
        }
        #expect(limit > 20)
        try Self.expectSame(living)
    }

    @Test func `keys that are damaged are noted anew, and damaged points are told of`() throws {
        let living = try Self.living()
        living.points[4] = living.anyPoint()
        try Self.update(living, [4])
        let folder = living.path("job/parts")
        func damage(_ suffix: String) throws {
            for name in try FileManager.default.contentsOfDirectory(atPath: folder)
            where name.contains(suffix) {
                var bytes = try Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
                bytes[bytes.count / 2] ^= 1
                try bytes.write(to: URL(filePath: "\(folder)/\(name)"))
            }
        }
        try damage(".keys-")
        living.points[4] = living.anyPoint()
        try Self.update(living, [4])
        let before = try living.contents(of: living.archive)
        try damage(".head")
        #expect {
            try Self.update(living, [4])
        } throws: {
            if case UpdateError.damaged = $0 { true } else { false }
        }
        #expect(try living.contents(of: living.archive) == before)
    }

    @Test func `an archive with another name takes the points along`() throws {
        let living = try Self.living()
        let ids: [UInt64] = [4]
        living.points[4] = living.anyPoint()
        var request = UpdateRequest()
        request.sources = [try living.write(ids.map(living.line), to: "changes.geojsonl")]
        let report = try TilesetUpdate(
            of: living.archive, request, to: living.path("other.pmtiles"), options: living.options
        ).run()
        #expect(report.pointsTaken == living.path("job"))
        let update = report.json.asObject?["update"]?.asObject
        #expect(update?["points_taken"] == .string(living.path("job")))
    }

    @Test func `a job that has moved is named, and one that is gone is told of`() throws {
        let living = try Self.living()
        let moved = living.path("moved")
        try FileManager.default.moveItem(atPath: living.path("job"), toPath: moved)
        living.job = nil
        living.points[3] = living.anyPoint()
        var request = UpdateRequest()
        request.sources = [try living.write([living.line(of: 3)], to: "changes.geojsonl")]
        #expect(
            throws: UpdateError.jobIsGone(
                archive: living.archive, folder: try File.resolved(living.folder.path) + "/job")
        ) { try living.update(request) }
        living.job = moved
        _ = try living.update(request)
        living.job = nil
        try Self.expectSame(living)
        // A build of other points takes the place of those that were.
        living.job = moved
        let points = living.points
        living.points = points.filter { $0.key < 900 }
        living.cellZoom = 2
        try living.build(to: living.path("other.pmtiles"))
        living.cellZoom = nil
        #expect(throws: UpdateError.jobIsGone(archive: living.archive, folder: moved)) {
            try living.update(request)
        }
    }
}
