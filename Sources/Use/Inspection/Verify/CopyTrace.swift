import Geometry
import TileArchive

/// A second walk, over an archive whose margins are not right, that finds the tiles concerned.
struct CopyTrace {
    private let archive: Archive
    private let check: CopyCheck

    /// Only so many buckets are looked into: where all is wrong, a few say so.
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
            state: { (TileDigester(takesFingerprints: true, conventions), [DrawnNode]()) },
            output: { (entries: [(TileID, UInt64)](), tiles: [TileID]()) },
            visit: { worker, output, tile in
                var survey = Survey()
                defer { worker.1.empty() }
                _ = worker.0.digest(tile, into: &survey, nodes: &worker.1)
                if wanted.contains(CopyCheck.bucket(of: tile.id)) { output.tiles.append(tile.id) }
                for node in worker.1 {
                    check.visit(node, in: tile.id) { neighbor, entry in
                        guard wanted.contains(entry.bucket) else { return }
                        output.entries.append((neighbor, entry.amount))
                    }
                }
            },
            consume: { output in
                met.formUnion(output.tiles)
                for (tile, amount) in output.entries { sums[tile, default: 0] &+= amount }
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
