import Foundation
import Geometry
import Inspection
import Testing

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
        let report = TileReport(tile, as: nil)
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
}
