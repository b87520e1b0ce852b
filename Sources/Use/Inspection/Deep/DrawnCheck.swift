import Conversion
import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// Walks over all tiles and compares each node with its point in the leaf blocks or its cluster in
/// the index: position and attributes.
struct DrawnCheck: Sendable {
    private let facts: CoveyFacts
    private let layers: [RestoredLayer]
    private let points: PointLookup
    /// The names of the layers whose attributes were computed again.
    private let names: [String]

    /// - Parameter hasAttributes: whether the layers' attributes were computed again.
    init(
        _ facts: CoveyFacts, _ layers: [RestoredLayer], hasAttributes: Bool, _ points: PointLookup
    ) {
        self.facts = facts
        self.layers = layers
        self.points = points
        names = hasAttributes ? layers.map(\.name) : []
    }

    /// The results of a batch of tiles.
    private struct Found: Sendable {
        var findings = FindingList()
        var carried: [String: Set<String>] = [:]
    }

    /// - Returns: by layer, the attributes that its clusters have beyond those of the index.
    func run(
        _ archive: Archive, threads: Int, _ findings: inout FindingList
    ) throws -> [String: Set<String>] {
        var carried: [String: Set<String>] = [:]
        let check = self
        let conventions = TileConventions(of: archive)
        _ = try ArchiveWalk(archive: archive, threads: threads).run(
            state: { TileDigester(takesFingerprints: true, conventions) },
            output: { Found() },
            visit: { digester, found, tile in
                var survey = Survey()
                var positions = Positions(check: check, tile: tile.id)
                // The walk before has found what cannot be read.
                guard
                    digester.digest(tile, into: &survey, nodes: &positions) == nil,
                    case .success(let bytes) = tile.contents
                else { return }
                found.findings.merge(positions.findings)
                check.checkAttributes(in: tile.id, bytes.span, &found)
            },
            consume: { found in
                findings.merge(found.findings)
                carried.merge(found.carried) { $0.union($1) }
            })
        return carried
    }

    private struct Positions: NodeSink {
        let check: DrawnCheck
        let tile: TileID
        var findings = FindingList()

        mutating func begin(_ layer: borrowing LayerView, of tile: TileID) {}

        mutating func take(_ node: DrawnNode) {
            if node.isInTile { check.checkPosition(of: node, in: tile, &findings) }
        }
    }

    /// A node must be drawn at the unit nearest to its position, at every zoom.
    private func checkPosition(
        of node: DrawnNode, in tile: TileID, _ findings: inout FindingList
    ) {
        let drawn = PositionLedger.Entry(of: node, in: tile, bucket: 0)
        let (x, y) = (drawn.x * GridPoint.steps, drawn.y * GridPoint.steps)
        let slack = drawn.tolerance * GridPoint.steps
        func fail(_ subject: String) {
            findings.add(
                .error, "moved", "a node is drawn elsewhere than where it lies",
                at: "\(tile): \(subject)")
        }
        guard node.isCluster else {
            if points.look(for: node.fingerprint, x: x, y: y, slack: slack) == .elsewhere {
                fail(
                    node.hasID
                        ? "point \(node.id)" : "a point at \(node.position.x),\(node.position.y)")
            }
            return
        }
        guard let record = record(of: node.cluster.id) else { return }
        let dx = abs(x - Double(record.position.x))
        if min(dx, abs(dx - GridPoint.steps)) > slack || abs(y - Double(record.position.y)) > slack
        {
            fail("cluster \(node.cluster.id)")
        }
    }

    private func record(of id: Int64) -> ClusterRecord? {
        guard let layer = facts.layer(ofCluster: id) else { return nil }
        return layers[layer].cluster(id).map { layers[layer].clusters[$0] }
    }

    private func checkAttributes(
        in tile: TileID, _ bytes: Span<UInt8>, _ found: inout Found
    ) {
        do throws(TileError) {
            var reader = try TileReader(bytes)
            while let layer = try reader.nextLayer() {
                guard let number = names.firstIndex(where: { layer.isNamed($0) }) else { continue }
                let check = AttributeCheck(layers[number], keysOf: layer)
                var faults: [(Int64, String)] = []
                try check.run(layer, &found.carried[names[number], default: []]) { cluster, fault in
                    faults.append((cluster, fault))
                }
                for (cluster, fault) in faults {
                    found.findings.add(
                        .error, "attributes",
                        "a cluster's attribute is not what its points come to",
                        at: "\(tile): cluster \(cluster): \(fault)")
                }
            }
        } catch {
            // The walk before has found this.
        }
    }
}
