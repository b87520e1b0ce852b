import Foundation
import Geometry
import Testing

@testable import TileService

/// Archives that are followed while others come and go.
struct FollowedArchiveTests {
    /// Archives with a tile each, the same in all.
    private static func write(_ names: [String], _ text: String, to folder: SampleFolder) throws {
        let sample = try SampleFolder()
        try sample.writeForeign(
            "a.mbtiles", metadata: ["name": "a", "format": "pbf"],
            tiles: [(0, 0, 0, [0x1A] + Array(text.utf8))])
        for name in names {
            let path = folder.file("\(name).mbtiles")
            try? FileManager.default.removeItem(atPath: path)
            try FileManager.default.copyItem(atPath: sample.file("a.mbtiles"), toPath: path)
        }
    }

    @Test func `one that is just being replaced keeps none of the others from being told`() throws {
        let names = (0..<9).map { "a\($0)" }
        let folder = try SampleFolder()
        try Self.write(names, "before", to: folder)
        let service = folder.service()
        let changes = ArchiveChanges()
        let archives = service.catalog.archives
        let versions = names.map { changes.news(of: archives[$0]!, since: nil).version }
        changes.follow(archives)
        try Self.write(names, "and afterwards", to: folder)
        service.refresh()
        let fresh = service.catalog.archives
        // All but one are gone again before they are compared.
        for name in names.dropLast() {
            try FileManager.default.removeItem(atPath: folder.file("\(name).mbtiles"))
        }
        changes.follow(fresh)
        for (name, version) in zip(names, versions) {
            let (news, now) = changes.news(of: fresh[name]!, since: version)
            let isLast = name == names.last
            #expect(news == (isLast ? .replaced([TileID(z: 0, x: 0, y: 0)]) : .none), "\(name)")
            #expect((now != version) == isLast)
        }
    }
}
