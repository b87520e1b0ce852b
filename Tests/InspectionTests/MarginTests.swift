import Geometry
import MessageTiles
import Testing
import VectorTile

@testable import Inspection

/// Copies in margins, and tiles that are not there: each is found by what it alone shows.
struct MarginTests {
    /// A tile with a copy in its margin, and which feature that is.
    private func copy(in built: BuiltArchive) throws -> (TileID, layer: Int, feature: Int) {
        for zoom in 1...4 {
            for id in try built.tiles(at: zoom) {
                let tile = try built.tile(id)
                for (layer, content) in tile.layers.enumerated() {
                    let extent = Int64(content.extent)
                    let index = content.features.firstIndex { feature in
                        feature.coordinates.contains { $0 < 0 || $0 >= extent }
                    }
                    if let index { return (id, layer, index) }
                }
            }
        }
        throw NoCopy()
    }

    private struct NoCopy: Error {}

    @Test(arguments: ArchiveKind.usual)
    func `a copy that is missing, moved or one too many is found, and nothing else`(
        kind: ArchiveKind
    ) throws {
        let changes: [(inout [MessageTiles.Tile.Feature], Int) -> Void] = [
            { $0.remove(at: $1) }, { $0[$1].move(x: 1) }, { $0[$1].move(y: -1) },
            { $0.append($0[$1]) }, { $0[$1]["name"] = .string("another") },
        ]
        for change in changes {
            let built = try BuiltArchive(kind)
            let (id, layer, index) = try copy(in: built)
            var tile = try built.tile(id)
            change(&tile.layers[layer].features, index)
            try built.write(tile, at: id)
            // A copy has an id, so a second one is a second feature of that id.
            let codes = try built.codes().subtracting([
                "mvt-duplicate-id", "mvt-no-features", "missing-tile",
            ])
            #expect(codes == ["copies"])
        }
    }

    @Test func `a tile of copies alone is missed by its neighbours`() throws {
        let built = try BuiltArchive(.single)
        for zoom in 1...4 {
            for id in try built.tiles(at: zoom) {
                let tile = try built.tile(id)
                let owns = tile.layers.contains { layer in
                    layer.features.contains { feature in
                        feature.coordinates.allSatisfy { $0 >= 0 && $0 < Int64(layer.extent) }
                    }
                }
                guard !owns else { continue }
                try built.change(
                    "DELETE FROM tiles WHERE zoom_level = \(id.z) AND tile_column = \(id.x) "
                        + "AND tile_row = \(id.tmsRow)")
                let findings = try built.findings()
                #expect(Set(findings.map(\.code)) == ["missing-tile"])
                #expect(findings.first?.locations == [id.description])
                return
            }
        }
        Issue.record("no tile holds copies alone")
    }

    @Test(arguments: [[1, 2, 3], [3]])
    func `a tile without copies is missed by the index`(zooms: [Int]) throws {
        let built = try BuiltArchive(.layers)
        for zoom in zooms {
            for id in try built.tiles(at: zoom) {
                let tile = try built.tile(id)
                let isAlone = tile.layers.allSatisfy { layer in
                    layer.features.allSatisfy { $0.isInner(layer.extent) }
                }
                let hasCluster = tile.layers.contains { $0.features.contains(where: \.isCluster) }
                guard isAlone, hasCluster else { continue }
                try built.change(
                    "DELETE FROM tiles WHERE zoom_level = \(id.z) AND tile_column = \(id.x) "
                        + "AND tile_row = \(id.tmsRow)")
                let findings = try built.findings()
                #expect(Set(findings.map(\.code)) == ["missing-tile", "sums", "index"])
                let missing = findings.first { $0.code == "missing-tile" }
                #expect(missing?.message == "a tile is missing: the index has a cluster in it")
                #expect(missing?.locations == [id.description])
                return
            }
        }
        Issue.record("no tile stands alone")
    }

    @Test func `archives without an index are checked by their tiles`() throws {
        for kind in ArchiveKind.usual {
            let built = try BuiltArchive(kind)
            for table in ["clusters", "leaf_blocks", "cluster_ids"] {
                try built.change("DROP TABLE covey_\(table)")
            }
            let verification = try Verification(of: built.archive, threads: 1)
            #expect(verification.findings.all == [] && !verification.hasIndex)
            #expect(verification.isCovey)
            try built.change("DELETE FROM tiles WHERE zoom_level = 3")
            #expect(try built.codes() == ["sums"])
        }
    }

    /// At the lower edge a position may be a whole unit off, at no other.
    @Test func `a drawn position may be half a unit off, and one at the lower edge a whole`() {
        let unit = 0x1p-16
        let usual = unit / 2 + 0x1p-31 + 0x1p-33
        for (x, y, slack) in [
            (0.5, 0.5, usual), (1 - unit / 4, 0.5, usual), (0, 0, usual),
            (0.5, 1 - unit / 4, usual + unit / 2), (0.5, 1 - 1.4 * unit, usual + unit / 2),
            (0.5, 1 - 1.5 * unit, usual), (0.5, 1 - 1.6 * unit, usual),
        ] {
            let found = PositionLedger.Entry.slack(ofUnit: unit, at: WorldPoint(x: x, y: y))
            #expect(found == slack, "\(x) \(y)")
        }
    }
}
