import Geometry
import TileArchive
import VectorTile

/// Walks again over an archive whose margins are wrong, and finds the tiles concerned.
struct CopyTrace {
    private let archive: Archive
    private let check: CopyCheck

    /// The most buckets that are traced: where all is wrong, a few are enough.
    private static let mostBuckets = 64

    init(_ archive: Archive, _ check: CopyCheck) {
        self.archive = archive
        self.check = check
    }

    func trace(
        _ differences: [Int], threads: Int, _ findings: inout FindingList
    ) throws {
        let wanted = Set(differences.prefix(Self.mostBuckets).map { UInt32($0) })
        var sums: [TileID: UInt64] = [:]
        var met: Set<TileID> = []
        let check = check
        let conventions = TileConventions(of: archive)
        _ = try ArchiveWalk(archive: archive, threads: threads).run(
            state: { TileDigester(takesFingerprints: true, conventions) },
            output: { (sums: [(TileID, UInt64)](), tiles: [TileID]()) },
            visit: { digester, output, tile in
                var survey = Survey()
                var margins = Margins(check: check, wanted: wanted, tile: tile.id)
                _ = digester.digest(tile, into: &survey, nodes: &margins)
                if wanted.contains(CopyCheck.bucket(of: tile.id)) { output.tiles.append(tile.id) }
                output.sums += margins.sums
            },
            consume: { output in
                met.formUnion(output.tiles)
                for (tile, amount) in output.sums { sums[tile, default: 0] &+= amount }
            })
        for tile in sums.filter({ $0.value != 0 }).keys.sorted() {
            let isThere = met.contains(tile)
            findings.add(
                .error, isThere ? "copies" : "missing-tile",
                isThere
                    ? "a tile's margin is not what its neighbours hold there"
                    : "a tile is missing: its neighbours' points reach into its margin",
                at: tile.description)
        }
    }
}

/// The sums of one tile's nodes in the margins of wanted tiles: its own margin, and those of its eight neighbours.
struct Margins: NodeSink {
    let check: CopyCheck
    let wanted: Set<UInt32>
    let tile: TileID
    private(set) var sums: [(tile: TileID, amount: UInt64)] = []

    init(check: CopyCheck, wanted: Set<UInt32>, tile: TileID) {
        self.check = check
        self.wanted = wanted
        self.tile = tile
    }

    mutating func begin(_ layer: borrowing LayerView, of tile: TileID) {}

    mutating func take(_ node: DrawnNode) {
        check.visit(node, in: tile) { neighbor, entry in
            if let known = sums.firstIndex(where: { $0.tile == neighbor }) {
                sums[known].amount &+= entry.amount
            } else if wanted.contains(entry.bucket) {
                sums.append((neighbor, entry.amount))
            }
        }
    }
}
