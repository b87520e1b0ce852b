import Conversion
import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// What the tiles of a batch come to when they are checked.
struct CheckedTiles: Sendable {
    var survey = Survey()
    var findings = FindingList()
    /// Nodes for the check of spacing, tile by tile.
    var spaced: [SpacingCheck.Spaced] = []
}

/// Checks tiles, one after another: the format, and on Covey's archives the clusters.
struct TileCheck: ~Copyable {
    private let facts: CoveyFacts?
    /// Whether there is an index that drawn nodes can be held against.
    private let hasIndex: Bool
    private let copyCheck: CopyCheck?
    private let covered: CoveredZooms?
    private let spread: SpreadCheck?
    /// Whether tiles must be gzip, or must not be, by what the container says.
    private let wantsGzip: Bool?
    private var validator = TileValidator()
    private var second = SecondReader()
    private var digester: TileDigester
    private var nodes: [DrawnNode] = []
    private let ledgers: TileLedgers
    private var waiting = TileLedgers.Waiting()

    /// - Parameter covered: at which zooms a tile stands for others, where tiles are left out.
    init(
        _ facts: CoveyFacts?, hasIndex: Bool, covered: CoveredZooms?, wantsGzip: Bool?,
        _ metadata: ArchiveMetadata, _ ledgers: TileLedgers
    ) {
        self.ledgers = ledgers
        self.wantsGzip = wantsGzip
        self.facts = facts
        self.hasIndex = hasIndex
        self.covered = covered
        // Of what is left out there are no copies either.
        copyCheck = covered == nil ? facts.map { CopyCheck(buffer: $0.buffer) } : nil
        digester = TileDigester(
            takesFingerprints: facts != nil, facts?.conventions ?? TileConventions())
        spread = facts.map { SpreadCheck($0.conventions, metadata) }
    }

    mutating func check(_ tile: OpenedTile, into checked: inout CheckedTiles) {
        guard tile.group.count > 1 else { return checkOne(tile, into: &checked) }
        var one = CheckedTiles()
        swap(&one.survey, &checked.survey)
        checkOne(tile, into: &one)
        swap(&one.survey, &checked.survey)
        checked.findings.merge(one.findings, times: tile.group.count)
    }

    private mutating func checkOne(_ tile: OpenedTile, into checked: inout CheckedTiles) {
        let name = tile.id.description
        if let wantsGzip, wantsGzip != tile.isGzip {
            checked.findings.add(
                .error, wantsGzip ? "not-gzip" : "gzip",
                wantsGzip
                    ? "a tile is not gzip, though the format or the header says so"
                    : "a tile is gzip, though the header says that tiles are not packed", at: name)
        }
        defer { nodes.empty() }
        let index = (try? tile.inflated).map { TileIndex(of: $0.span) }
        let fault = digester.digest(tile, index, into: &checked.survey, nodes: &nodes)
        switch fault {
        case .compression(let error)?:
            checked.findings.add(
                .error, "bad-gzip", "a tile's gzip is damaged", at: "\(name): \(error)")
            return
        case .contents(.tooLarge)?:
            checked.findings.add(
                .error, "too-large", "a tile is too large to be checked", at: name)
            return
        default: validate(tile, index, into: &checked.findings)
        }
        guard facts != nil else { return }
        checkNodes(of: tile, into: &checked)
        ledgers.post(&waiting)
    }

    private mutating func checkNodes(of tile: OpenedTile, into checked: inout CheckedTiles) {
        for node in nodes {
            check(node, in: tile.id, &checked)
            if waiting.areMany { ledgers.post(&waiting) }
        }
        spread?.check(tile, nodes, &checked.findings)
        guard let zooms = covered?.zooms(below: tile.id), !nodes.contains(where: \.isCluster) else {
            return
        }
        for zoom in zooms {
            for node in nodes where node.isInTile {
                checked.survey.addPoint(in: node.layer, shownAt: UInt8(zoom))
                if hasIndex { post(node, in: tile.id, zoom: zoom) }
            }
        }
    }

    /// MVT 2.1, rule by rule.
    private mutating func validate(
        _ tile: OpenedTile, _ index: TileIndex?, into findings: inout FindingList
    ) {
        guard case .success(let bytes) = tile.contents,
            let broken = try? validator.findings(in: bytes.span, index)
        else { return }
        for finding in broken {
            findings.add(
                finding.severity == .advice ? .warning : .error, "mvt-\(finding.rule.rawValue)",
                "\(finding.rule) (MVT \(finding.rule.section))",
                at: "\(tile.id): \(finding.location)")
        }
        if let difference = second.difference(in: bytes.span, index) {
            findings.add(difference, at: "\(tile.id): ")
        }
    }

    private mutating func check(
        _ node: DrawnNode, in tile: TileID, _ checked: inout CheckedTiles
    ) {
        copyCheck?.visit(node, in: tile) { _, entry in waiting.copies.append(entry) }
        guard node.isInTile else { return }
        if node.isCluster { checkCluster(node, in: tile, &checked.findings) }
        if let facts {
            SpacingCheck.collect(node, in: tile, facts, checked.survey, &checked.spaced)
        }
        if hasIndex { post(node, in: tile, zoom: Int(tile.z)) }
    }

    /// Enters what a zoom shows, in the tile itself or in what stands for it.
    private mutating func post(_ node: DrawnNode, in tile: TileID, zoom: Int) {
        let drawn =
            node.isCluster
            ? DrawnLedger.cluster(id: node.cluster.id, points: node.pointCount, zoom: zoom)
            : DrawnLedger.point(node.fingerprint, zoom: zoom)
        waiting.drawn.append(.found(drawn.hash, in: drawn.bucket))
        waiting.positions.append(PositionEntry.found(node, in: tile, bucket: drawn.bucket))
    }

    /// What a cluster says about itself must agree with itself.
    private func checkCluster(
        _ node: DrawnNode, in tile: TileID, _ findings: inout FindingList
    ) {
        let marks = node.cluster
        func fail(_ code: String, _ message: String) {
            findings.add(.error, code, message, at: "\(tile): cluster \(marks.id)")
        }
        if !node.hasID || marks.id < 0 || UInt64(marks.id) != node.id {
            fail(
                "cluster-id", "a cluster's \(ClusterAttribute.clusterID.name) is not its feature id"
            )
        }
        let claim = facts?.claim(of: marks.id)
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
        if let most = claim?.mostLeaves, marks.pointCount <= most { return }
        fail("leaf-range", "a cluster claims points that its layer does not have")
    }
}

/// Entries of the position ledger.
enum PositionEntry {
    static func found(_ node: DrawnNode, in tile: TileID, bucket: UInt32) -> PositionLedger.Entry {
        if let place = node.truePlace {
            return PositionLedger.Entry(
                bucket: bucket, x: place.x, y: place.y, tolerance: writtenSlack)
        }
        let position = WorldPoint(node.position, in: tile, extent: UInt32(max(node.extent, 1)))
        let unit = tile.width / Double(max(node.extent, 1))
        return PositionLedger.Entry(
            bucket: bucket, x: position.x, y: position.y,
            tolerance: slack(ofUnit: unit, at: position))
    }

    /// How far off a place is that is written in degrees to seven decimals, near the poles too, and
    /// half a step of the leaf blocks.
    static let writtenSlack = 2.5e-9

    /// How far from its position a node may be drawn: half a unit of the tile's grid, half a step
    /// of the index, and half a step of 2^-32 that the build rounds to in between.
    static func slack(ofUnit unit: Double, at drawn: WorldPoint) -> Double {
        // The world's lower edge has no unit of its own: what lies there is drawn in the last row, a
        // whole unit away.
        let rounding = drawn.y + 1.5 * unit > 1 ? unit : unit / 2
        return rounding + 0x1p-31 + 0x1p-33
    }

    /// A position as index and leaf blocks have it.
    static func expected(_ point: GridPoint, bucket: UInt32) -> PositionLedger.Entry {
        let position = point.worldPoint
        return PositionLedger.Entry(bucket: bucket, x: position.x, y: position.y, tolerance: 0)
    }
}
