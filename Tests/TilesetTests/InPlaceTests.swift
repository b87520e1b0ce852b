import Foundation
import Geometry
import SQLite
import Synchronization
import Testing
import TileArchive

@testable import Tileset

/// Updates that change an MBTiles archive where it lies.
struct InPlaceTests {
    private func inode(_ path: String) throws -> UInt64? {
        let known = try FileManager.default.attributesOfItem(atPath: path)
        return (known[.systemFileNumber] as? NSNumber)?.uint64Value
    }

    private func living(count: Int = 1_500, zoom: Int = 5) throws -> LivingPoints {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": .integer(Int64(zoom))], "layer": ["clusters": ["radius": 40]]],
            ending: ".mbtiles", seed: 8)
        for _ in 0..<count { _ = living.add() }
        (living.job, living.cellZoom) = (living.path("job"), 2)
        try living.build(to: living.archive)
        living.cellZoom = nil
        return living
    }

    private func request(moving id: UInt64, in living: LivingPoints) throws -> UpdateRequest {
        living.points[id] = living.anyPoint()
        var request = UpdateRequest()
        request.sources = [try living.write([living.line(of: id)], to: "changes.geojsonl")]
        return request
    }

    @Test func `only tiles that differ are written, and they are told beforehand`() throws {
        let living = try living()
        let (file, before) = (try inode(living.archive), try living.contents(of: living.archive))
        let told = Mutex<[String: TileChange]>([:])
        for step in 0..<3 {
            let old = try living.contents(of: living.archive)
            let report = try TilesetUpdate(
                of: living.archive, request(moving: UInt64(step * 7), in: living),
                options: living.options,
                preview: { preview in
                    guard case .tiles(let tiles) = preview else { throw BuildError.cancelled }
                    let rows = tiles.map {
                        ("\($0.tile.z)/\($0.tile.x)/\($0.tile.tmsRow)", $0.change)
                    }
                    #expect(rows.count == Set(rows.map(\.0)).count)
                    told.withLock { $0 = Dictionary(uniqueKeysWithValues: rows) }
                }
            ).run()
            let new = try living.contents(of: living.archive)
            var wanted: [String: TileChange] = [:]
            for name in Set(old.keys).union(new.keys) where name.contains("/") {
                switch (old[name], new[name]) {
                case (nil, .some): wanted[name] = .added
                case (.some, nil): wanted[name] = .removed
                case (let a, let b): if a != b { wanted[name] = .changed }
                }
            }
            #expect(told.withLock { $0 } == wanted && !wanted.isEmpty)
            #expect(report.build.changedTiles == wanted.count)
            #expect(report.json.asObject?["changed_tiles"] == .integer(Int64(wanted.count)))
            try PartUpdateTests.expectSame(living)
        }
        #expect(try inode(living.archive) == file)
        #expect(try living.contents(of: living.archive) != before)
    }

    @Test func `files of an older state in the job's folder do not hide what changes`() throws {
        let living = try living()
        func tiles() throws -> [(name: String, path: String)] {
            let folder = try CellBuildTests.files(of: living.path("job")) + "/tiles"
            return try FileManager.default.contentsOfDirectory(atPath: folder).map {
                ($0, "\(folder)/\($0)")
            }
        }
        let old = Dictionary(
            uniqueKeysWithValues: try tiles().map {
                ($0.name, try Data(contentsOf: URL(filePath: $0.path)))
            })
        let place = living.points[3]
        _ = try TilesetUpdate(
            of: living.archive, request(moving: 3, in: living), options: living.options
        ).run()
        for (name, path) in try tiles() {
            try FileManager.default.removeItem(atPath: path)
            try #require(old[name]).write(to: URL(filePath: path))
        }
        living.points[3] = place
        var request = UpdateRequest()
        request.sources = [try living.write([living.line(of: 3)], to: "changes.geojsonl")]
        _ = try TilesetUpdate(of: living.archive, request, options: living.options).run()
        try PartUpdateTests.expectSame(living)
    }

    @Test func `what the job makes for another archive is no reason to write one anew`() throws {
        let living = try living()
        // Files that PMTiles have and MBTiles have not.
        let folder = try CellBuildTests.files(of: living.path("job")) + "/index"
        for name in ["tiles-0", "archive"] {
            try Data().write(to: URL(filePath: "\(folder)/\(name)"))
        }
        let report = try TilesetUpdate(
            of: living.archive, request(moving: 3, in: living), options: living.options
        ).run()
        #expect(report.build.changedTiles ?? 0 > 0)
        try PartUpdateTests.expectSame(living)
    }

    @Test func `payloads whose numbers change keep their rows`() throws {
        let living = try LivingPoints(
            ["tiles": ["maxZoom": 5], "layer": ["clusters": ["radius": 40]]],
            ending: ".mbtiles", seed: 9)
        // So heavy that a block has a few hundred of them.
        let kind = String(repeating: "x", count: 500)
        func add(_ count: Int, at place: LonLat? = nil) -> [UInt64] {
            (0..<count).map { _ in
                let id = living.add()
                living.points[id]?.kind = kind
                if let place { living.points[id]?.place = place }
                return id
            }
        }
        _ = add(3_000)
        (living.job, living.cellZoom) = (living.path("job"), 2)
        try living.build(to: living.archive)
        living.cellZoom = nil
        func rows() throws -> [Int64] {
            let database = try Database(path: living.archive, mode: .readOnly)
            var select = try database.prepare("SELECT payload FROM covey_numbers ORDER BY block")
            var rows: [Int64] = []
            while try select.step() { rows.append(select.integer(at: 0)) }
            return rows
        }
        let before = try rows()
        #expect(before == Array(0..<Int64(before.count)))
        var request = UpdateRequest()
        let added = add(900, at: LonLat(longitude: -120, latitude: 50))
        request.sources = [try living.write(added.map(living.line), to: "changes.geojsonl")]
        let report = try TilesetUpdate(of: living.archive, request, options: living.options).run()
        #expect(report.build.changedTiles != nil)
        let moved = try rows().enumerated().filter { $1 < before.count && $1 != $0 }
        #expect(moved.count > 2)
        try PartUpdateTests.expectSame(living)
    }

    @Test func `a point whose attributes come in another order changes its tiles`() throws {
        let living = try living()
        var request = UpdateRequest()
        living.points[17]?.isTurned = true
        request.sources = [try living.write([living.line(of: 17)], to: "changes.geojsonl")]
        let report = try TilesetUpdate(of: living.archive, request, options: living.options).run()
        #expect(report.build.changedTiles ?? 0 > 0)
        try PartUpdateTests.expectSame(living)
    }

    @Test func `what is given up changes nothing, and the next update does it`() throws {
        let living = try living()
        let before = try living.contents(of: living.archive)
        let kept = living.keptFiles
        let request = try request(moving: 5, in: living)
        let givenUp = TilesetUpdate(
            of: living.archive, request, options: living.options,
            preview: { _ in throw BuildError.cancelled })
        #expect(throws: BuildError.cancelled) { try givenUp.run() }
        #expect(try living.contents(of: living.archive) == before)
        #expect(living.keptFiles == kept)
        #expect(!FileManager.default.fileExists(atPath: living.archive + "-journal"))
        for _ in 0..<2 {
            #expect(throws: BuildError.cancelled) { try givenUp.run() }
        }
        #expect(try living.update(request).build.changedTiles != nil)
        try PartUpdateTests.expectSame(living)
    }

    @Test func `facts that change are refused before anything does`() throws {
        let living = try living()
        let before = try living.contents(of: living.archive)
        var request = UpdateRequest()
        request.keepsFacts = true
        request.sources = [try living.write(["lon,lat,new", "1,2,3"], to: "new.csv")]
        #expect(throws: UpdateError.self) { try living.update(request) }
        #expect(try living.contents(of: living.archive) == before)
    }

    @Test func `an archive that another program changed is written anew`() throws {
        let living = try living()
        let file = try inode(living.archive)
        try Database(path: living.archive, mode: .readWrite)
            .execute("UPDATE tiles SET tile_data = x'00' WHERE zoom_level = 0")
        let report = try living.update(request(moving: 9, in: living))
        #expect(report.build.changedTiles == nil)
        #expect(try inode(living.archive) != file)
        try PartUpdateTests.expectSame(living)
        // And the next one where it lies again.
        #expect(try living.update(request(moving: 10, in: living)).build.changedTiles != nil)
        try PartUpdateTests.expectSame(living)
    }

    @Test(arguments: ["tiles/top", "index/leaves-0"])
    func `where a file of the job before is damaged or gone, the archive is written anew`(
        name: String
    ) throws {
        for isGone in [false, true] {
            let living = try living()
            let job = try #require(
                try FileManager.default.contentsOfDirectory(atPath: living.path("job"))
                    .first { $0 != "parts" && $0 != "plan.json" })
            let file = URL(filePath: living.path("job/\(job)/\(name)"))
            if isGone {
                try FileManager.default.removeItem(at: file)
            } else {
                var bytes = try Data(contentsOf: file)
                bytes[bytes.count - 30] ^= 1
                try bytes.write(to: file)
            }
            _ = try living.update(request(moving: 11, in: living))
            try PartUpdateTests.expectSame(living)
        }
    }

    @Test func `points that come and go, and a file of its own, end as a build does`() throws {
        let living = try living(count: 700, zoom: 6)
        for _ in 0..<3 {
            var gone: [UInt64] = []
            for _ in 0..<20 {
                let id = try #require(living.someID)
                living.points[id] = nil
                gone.append(id)
            }
            let report = try PartUpdateTests.update(
                living, [living.add(), living.add()], gone: gone)
            #expect(report.build.changedTiles != nil)
        }
    }

    @Test func `where much changes, the archive is written anew`() throws {
        let living = try living(count: 2_500, zoom: 12)
        for id in living.points.keys.sorted() { living.points[id] = living.anyPoint() }
        let report = try PartUpdateTests.update(living, living.points.keys.sorted())
        #expect(report.build.tileBytes > 1 << 20)
        #expect(report.build.changedTiles == nil)
    }
}
