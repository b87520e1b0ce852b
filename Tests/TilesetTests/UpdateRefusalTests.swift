import Foundation
import Geometry
import JSON
import Testing
import TileArchive

@testable import Tileset

/// Updates that cannot be done, and leave everything as it was.
struct UpdateRefusalTests {
    private func expect(
        _ error: UpdateError, _ living: LivingPoints, _ change: (inout UpdateRequest) throws -> Void
    ) throws {
        let before = try living.contents(of: living.archive)
        let kept = living.keptFiles
        var request = UpdateRequest()
        try change(&request)
        #expect(throws: error) { try living.update(request) }
        #expect(try living.contents(of: living.archive) == before)
        #expect(living.keptFiles == kept)
    }

    @Test func `what cannot be done is refused, and changes nothing`() throws {
        let living = try LivingPoints.small()
        // Two points of one kind.
        let kinds = Dictionary(grouping: living.points.values, by: \.kind)
        let double = try #require(kinds.first { $0.value.count > 1 }?.key)
        let kind = PointIdentity.attribute("kind")
        try expect(.twoPoints(key: double, identity: kind, layer: "points"), living) {
            $0.identity = kind
            $0.deletions = [PointKey(spelling: double)]
        }
        try expect(.noKeys(identity: .attribute("name"), layer: "points"), living) {
            $0.identity = .attribute("name")
            $0.deletions = [PointKey(spelling: "x")]
        }
        try expect(.noPointsLeft(layer: "points"), living) {
            $0.leaves = [">=", ["get", "n"], 0]
        }
        try expect(.noLayer("x", known: ["points"]), living) { $0.layer = "x" }
        try expect(
            .factsChange([
                "attribute new of layer points is new (Number)"
            ]), living
        ) {
            $0.keepsFacts = true
            $0.sources = [
                try living.write(["lon,lat,new", "1,2,3"], to: "new.csv")
            ]
        }
    }

    @Test func `broken changes are located, and change nothing`() throws {
        let living = try LivingPoints.small()
        let before = try living.contents(of: living.archive)
        var request = UpdateRequest()
        request.sources = [
            try living.write(
                [living.line(of: 1), "{\"type\":\"Feature\","], to: "changes.geojsonl")
        ]
        #expect {
            try living.update(request)
        } throws: {
            "\($0)".contains("changes.geojsonl:2: feature 2 is cut off")
        }
        request.sources = [
            try living.write(["lon,lat,delete", "1,2,perhaps"], to: "changes.csv")
        ]
        #expect {
            try living.update(request)
        } throws: {
            "\($0)".contains("has “perhaps” as delete, which is not true or false")
        }
        #expect(try living.contents(of: living.archive) == before)
    }

    @Test(arguments: [".mbtiles", ".pmtiles", "/"])
    func `an update that is given up at the end changes nothing`(ending: String) throws {
        struct GivenUp: Error {}
        let living = try LivingPoints.small(ending: ending)
        let (before, kept) = (try living.contents(of: living.archive), living.keptFiles)
        var request = UpdateRequest()
        request.deletions = [.number(0)]
        #expect(throws: GivenUp.self) {
            try TilesetUpdate(
                of: living.archive, request, options: living.options,
                preview: { preview in
                    guard case .archives(let old, let new) = preview else { throw GivenUp() }
                    #expect(old.metadata.covey != new.metadata.covey)
                    throw GivenUp()
                }
            ).run()
        }
        #expect(try living.contents(of: living.archive) == before)
        #expect(living.keptFiles == kept)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: living.folder.path).count
                == (ending == ".pmtiles" ? 4 : 3))
    }

    @Test func `points that are not kept, gone, damaged or in use are told of`() throws {
        let living = try LivingPoints.small()
        var request = UpdateRequest()
        request.deletions = [.number(0)]
        let file = living.path(living.keptFiles[0])
        let data = try Data(contentsOf: URL(fileURLWithPath: file))
        for position in [3, 20, data.count / 2, data.count - 1] {
            var damaged = data
            damaged[position] ^= 0x40
            try damaged.write(to: URL(fileURLWithPath: file))
            #expect(throws: UpdateError.damaged(file: file)) { try living.update(request) }
        }
        try data.dropLast(5).write(to: URL(fileURLWithPath: file))
        #expect(throws: UpdateError.damaged(file: file)) { try living.update(request) }
        try data.write(to: URL(fileURLWithPath: file))
        try withLock(file) {
            #expect(throws: UpdateError.isLocked(archive: living.archive)) {
                try living.update(request)
            }
        }
        try FileManager.default.removeItem(atPath: file)
        #expect(throws: UpdateError.pointsAreGone(archive: living.archive, file: file)) {
            try living.update(request)
        }
        let other = try BakedArchive([SamplePoint(place: LonLat(longitude: 1, latitude: 2))])
        #expect(throws: UpdateError.noPointsKept(archive: other.path)) {
            try TilesetUpdate(of: other.path, request).run()
        }
    }

    private func withLock(_ file: String, _ body: () throws -> Void) throws {
        let descriptor = open(file, O_RDONLY)
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        defer { close(descriptor) }
        try body()
    }

    @Test func `an archive that was built elsewhere goes to another place with its points`() throws
    {
        let living = try LivingPoints.small()
        var request = UpdateRequest()
        request.deletions = [.number(0)]
        let out = living.path("b.pmtiles")
        _ = try TilesetUpdate(
            of: living.archive, request, to: out, in: PMTiles.self, options: living.options
        ).run()
        #expect(living.keptFiles.map { $0.prefix(9) }.sorted() == ["a.mbtiles", "b.pmtiles"])
        #expect(try Archive(path: out).description?.get().leafCount == 4)
    }

    @Test func `a name of points that leads elsewhere is none`() throws {
        var metadata = ArchiveMetadata(name: "x")
        for name in [
            "../../../etc/pass", "0123456789abcde", "0123456789abcdeg", "ａ123456789abcdef",
        ] {
            metadata.covey = ["points": .string(name)]
            #expect(metadata.keptPoints == nil)
        }
        metadata.covey = ["points": "0123456789abcdef"]
        #expect(metadata.keptPoints == "0123456789abcdef")
    }
}
