import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// Checks the points and clusters of tiles, one after another as they are found.
struct NodeCheck: NodeSink {
    private let facts: CoveyFacts
    /// Whether there is an index to compare drawn nodes with.
    private let hasIndex: Bool
    private let copyCheck: CopyCheck?
    private let covered: CoveredZooms?
    private let spread: SpreadCheck
    private let ledgers: TileLedgers
    private var spacing: SpacedNodes
    // The state of the present tile.
    private var tile = TileID(z: 0, x: 0, y: 0)
    private var waiting = TileLedgers.Waiting()
    private var findings = FindingList()
    /// The zooms at which the tile is shown in place of others, as long as it has only points; `covering` has these points.
    private var coveredZooms: ClosedRange<Int>?
    private var covering: [DrawnNode] = []
    /// The points that are drawn away from their places.
    private var spreadOut: [DrawnNode] = []

    /// - Parameter covered: finds the zooms at which a tile stands for others; nil if no tiles are left out.
    init(
        _ facts: CoveyFacts, hasIndex: Bool, covered: CoveredZooms?, _ metadata: ArchiveMetadata,
        _ ledgers: TileLedgers
    ) {
        self.facts = facts
        self.hasIndex = hasIndex
        self.covered = covered
        self.ledgers = ledgers
        // If tiles are left out, so are the copies in their margins.
        copyCheck = covered == nil ? CopyCheck(buffer: facts.description.buffer) : nil
        spread = SpreadCheck(facts.conventions, metadata)
        spacing = SpacedNodes(facts)
    }

    mutating func begin(_ tile: TileID, _ checked: inout CheckedTiles) {
        self.tile = tile
        swap(&waiting, &checked.waiting)
        swap(&spacing.nodes, &checked.spaced)
        coveredZooms = covered?.zooms(below: tile)
    }

    /// Checks what concerns the whole tile, and hands over the results.
    mutating func end(_ tile: OpenedTile, _ checked: inout CheckedTiles) {
        if !spreadOut.isEmpty { spread.check(tile, spreadOut, &findings) }
        for zoom in coveredZooms.map(Array.init) ?? [] {
            for node in covering {
                checked.survey.addPoint(in: node.layer, shownAt: UInt8(zoom))
                if hasIndex { post(node, zoom: zoom) }
            }
        }
        covering.empty()
        spreadOut.empty()
        swap(&waiting, &checked.waiting)
        swap(&spacing.nodes, &checked.spaced)
        guard !findings.isEmpty else { return }
        checked.findings.merge(findings)
        findings = FindingList()
    }

    mutating func begin(_ layer: borrowing LayerView, of tile: TileID) {
        spacing.begin(layer, of: tile)
    }

    mutating func take(_ node: DrawnNode) {
        copyCheck?.visit(node, in: tile) { _, entry in waiting.copies.append(entry) }
        if waiting.areMany { ledgers.post(&waiting) }
        guard node.isInTile else { return }
        if node.isCluster { checkCluster(node) }
        spacing.take(node, in: tile)
        if node.saysItsPlace { spreadOut.append(node) }
        if node.isCluster { coveredZooms = nil }
        if coveredZooms != nil { covering.append(node) }
        if hasIndex { post(node, zoom: Int(tile.z)) }
    }

    /// Posts a node that a zoom shows, in the tile itself or in one that stands for it.
    private mutating func post(_ node: DrawnNode, zoom: Int) {
        let drawn =
            node.isCluster
            ? DrawnLedger.cluster(id: node.cluster.id, points: node.pointCount, zoom: zoom)
            : DrawnLedger.point(node.fingerprint, zoom: zoom)
        waiting.drawn.append(.found(drawn.hash, in: drawn.bucket))
        waiting.positions.append(.init(of: node, in: tile, bucket: drawn.bucket))
        if waiting.areMany { ledgers.post(&waiting) }
    }

    /// A cluster's attributes must agree with each other.
    private mutating func checkCluster(_ node: DrawnNode) {
        let marks = node.cluster
        func fail(_ code: String, _ message: String) {
            findings.add(.error, code, message, at: "\(tile): cluster \(marks.id)")
        }
        if !node.hasID || marks.id < 0 || UInt64(marks.id) != node.id {
            fail(
                "cluster-id", "a cluster's \(ClusterAttribute.clusterID.name) is not its feature id"
            )
        }
        let claim = facts.claim(of: marks.id)
        if marks.expansionZoom != claim.map({ Int64($0.zoom) + 1 }) {
            fail(
                "expansion-zoom",
                "a cluster's \(ClusterAttribute.expansionZoom.name) is not the zoom after the last")
        }
        if let claim, claim.zoom < tile.z {
            fail("past-expansion", "a cluster is drawn at a zoom at which it has come apart")
        }
        if marks.pointCount < 2 { fail("point-count", "a cluster has fewer than two points") }
        if !marks.isAbbreviatedWell {
            fail(
                "abbreviated",
                "\(ClusterAttribute.pointCountAbbreviated.name) does not say what "
                    + "\(ClusterAttribute.pointCount.name) does")
        }
        if facts.description.isPart { return }
        if let most = claim?.mostLeaves, marks.pointCount <= most { return }
        fail("leaf-range", "a cluster claims points that its layer does not have")
    }
}
