import Foundation
import Geometry
import Inspection
import MessageTiles
import Testing
import TileArchive
import VectorTile

/// What is said of bins that are not what their points come to, and that nothing is said of those that are.
struct BinFaultTests {
    private typealias Layer = MessageTiles.Tile.Layer

    /// Changes the first bin of a zoom that one tile alone has.
    private static func change(
        _ built: BuiltArchive, zoom: Int, _ body: (inout Layer, Int) -> Void
    ) throws -> (tile: TileID, bin: UInt64) {
        var seen: [UInt64: Int] = [:]
        let tiles = try built.tiles(at: zoom)
        for id in tiles {
            for layer in try built.tile(id).layers where layer.name == "points_bins" {
                for feature in layer.features { seen[feature.id ?? 0, default: 0] += 1 }
            }
        }
        for id in tiles {
            var tile = try built.tile(id)
            for layer in tile.layers.indices where tile.layers[layer].name == "points_bins" {
                let features = tile.layers[layer].features
                guard let index = features.firstIndex(where: { seen[$0.id ?? 0] == 1 }) else {
                    continue
                }
                body(&tile.layers[layer], index)
                try built.write(tile, at: id)
                return (id, features[index].id ?? 0)
            }
        }
        throw NoBin()
    }

    private struct NoBin: Error {}

    private static let changes: [(fault: String, change: @Sendable (inout Layer, Int) -> Void)] = [
        ("point_count is another", { $0.features[$1]["point_count"] = .uint(1_000) }),
        ("point_count is missing", { $0.features[$1]["point_count"] = nil }),
        ("more is another", { $0.features[$1]["more"] = .bool(true) }),
        ("no point is in it", { $0.features[$1].id = 5 }),
        ("it has other corners", { $0.features[$1].geometry[1] += 2 }),
        ("it has other corners", { $0.features[$1].geometry[2] += 2 }),
    ]

    @Test(arguments: changes.indices)
    func `a bin is told with its tile and what is wrong with it`(index: Int) throws {
        let built = try BuiltArchive(.spread)
        let (fault, change) = Self.changes[index]
        let (tile, bin) = try Self.change(built, zoom: 1, change)
        let found = try built.findings(deep: true).filter { $0.code == "bins" }
        let what = "a bin is not what the points in it come to"
        let first = found.first { $0.message == what }
        let number = fault == "no point is in it" ? 5 : bin
        #expect(first?.locations == ["\(tile): bin \(number): \(fault)"] && first?.count == 1)
        // It is not there as it should be, so it is missed, too.
        let missed = found.first { $0.message == "bins that hold points are in no tile" }
        #expect(missed?.locations.first?.hasPrefix("zoom 1, points_bins: 1 of ") == true)
        #expect(found.count == 2 && found.allSatisfy { $0.severity == .error })
    }

    @Test func `a bin that is in too few tiles is counted`() throws {
        let built = try BuiltArchive(.spread)
        _ = try Self.change(built, zoom: 1) { layer, index in
            layer.features.append(layer.features[index])
        }
        let found = try built.findings(deep: true).filter { $0.code == "bins" }
        #expect(found.map(\.message) == ["bins are not in all tiles that they reach into"])
        #expect(found.first?.locations.first?.hasPrefix("zoom 1, points_bins: 1 of ") == true)
    }

    @Test func `bins that end elsewhere than it is said are told with both zooms`() throws {
        let built = try BuiltArchive(.spread)
        try built.change(
            """
            UPDATE metadata SET value = replace(value, '"pixels":60,"maxZoom":1',
            '"pixels":60,"maxZoom":0') WHERE name = 'covey'
            """)
        let found = try built.findings(deep: true).filter { $0.code == "bins" }
        #expect(found.map(\.message) == ["bins end at another zoom than the archive says"])
        #expect(found.first?.locations == ["points_bins: 1, not 0"])
    }

    /// Where a bin is drawn at both ends of the world, its corners are those of either.
    @Test(arguments: ["hexagon:60", "square:64"])
    func `bins over the antimeridian are right as they are built`(bins: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "covey-bins-\(UUID().uuidString).mbtiles")
        defer { try? FileManager.default.removeItem(at: file) }
        let recipe =
            #"{"tiles": {"maxZoom": 3, "bins": "\#(bins)"}, "layers": [{"name": "a", "#
            + #""sources": ["a.csv"], "clusters": {"aggregates": {"s": "sum:n"}}}]}"#
        let rows = (0..<60).map { number in
            let offset = Double(number % 12) * 0.7
            let longitude = number % 2 == 0 ? 180 - offset : offset - 180
            return "\(longitude),\(Double(number / 12) * 17 - 40),\(number)"
        }
        let table = (["lon,lat,n"] + rows).joined(separator: "\n")
        try ArchiveKind.bytes(recipe, ["a.csv": table]).write(to: file)
        let archive = try Archive(path: file.path)
        #expect(archive.metadata.vectorLayers.map(\.id).contains("a_bins"))
        let found = try Verification(of: archive, threads: 1, isDeep: true).findings.all
        #expect(found == [])
    }
}
