import Foundation
import Geometry
import Inspection
import MessageTiles
import Testing
import VectorTile

/// The shared fixtures of broken and whole tiles, through `inspect` and `verify`.
struct FixtureTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "VectorTileTests/Fixtures")

    static let names = try! FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()

    private struct Info: Decodable {
        var valid: Bool
        var fault: String?
    }

    @Test(arguments: names)
    func `a tile is judged as its description says`(name: String) throws {
        let folder = Self.folder.appending(path: name)
        let info = try JSONDecoder().decode(
            Info.self, from: Data(contentsOf: folder.appending(path: "info.json")))
        let path = folder.appending(path: "tile.mvt").path
        guard case .tile(let tile) = try Subject(path: path) else {
            Issue.record("\(name) is a tile")
            return
        }
        let verification = TileVerification(of: tile)
        let report = TileReport(of: tile.stored, tile: nil)
        if !info.valid {
            #expect(verification.worst?.rawValue == info.fault)
            #expect((report.fault != nil) == (info.fault == "fatal"))
        } else if name == "016" {
            // The same bytes as 003, which is described as not valid.
            #expect(verification.worst == .recoverable)
        } else {
            #expect(!verification.findings.hasErrors)
            #expect(report.fault == nil && report.content.skipped.isEmpty)
        }
    }

    @Test func `a tile that protobuf-c reads otherwise is told so`() throws {
        var content = MessageTiles.Tile(layers: [
            .init(
                name: "l",
                features: [.init(.points([.init(x: 1, y: 1)]), tags: [.init("n", .uint(7))])])
        ])
        let bytes = content.packed()
        let tile = LooseTile(path: "tile", stored: bytes)
        #expect(TileVerification(of: tile).findings.all == [])
        #expect(TileReport(of: tile.stored, tile: nil).difference == nil)
        content.layers[0].features[0].tags[0].value = .uint(8)
        for (unpacked, location) in [
            (Array(bytes.dropLast()), "protobuf-c refuses the tile"),
            ([], "the number of layers"), (content.packed(), "a layer's values, layer 0"),
        ] {
            let verification = TileVerification(of: tile, unpacked: unpacked)
            #expect(verification.findings.all.map(\.code) == ["protobuf"])
            #expect(verification.findings.all.first?.locations == [location])
            #expect(verification.worst == .fatal)
        }
    }
}
