import TileArchive
import VectorTile

/// The results for the tiles of a batch.
struct CheckedTiles: Sendable {
    var survey = Survey()
    var findings = FindingList()
    /// Entries of their nodes that are not posted yet.
    var waiting = TileLedgers.Waiting()
    /// Nodes for the spacing check, tile by tile.
    var spaced: [SpacingCheck.Spaced] = []
}

/// Checks tiles, one after another: the format and, in Covey's archives, the clusters.
struct TileCheck: ~Copyable {
    /// Whether tiles must be gzip or must not be, by the container's rules; nil if both are allowed.
    private let wantsGzip: Bool?
    private var validator = TileValidator()
    private var second = SecondReader()
    private var digester: TileDigester
    /// Checks nodes, if the archive is Covey's.
    private var nodeCheck: NodeCheck?

    init(_ facts: CoveyFacts?, _ nodeCheck: NodeCheck?, wantsGzip: Bool?) {
        self.wantsGzip = wantsGzip
        self.nodeCheck = nodeCheck
        digester = TileDigester(
            takesFingerprints: facts != nil, facts?.conventions ?? TileConventions())
    }

    mutating func check(_ tile: OpenedTile, into checked: inout CheckedTiles) {
        guard tile.group.count > 1 else { return checkOne(tile, into: &checked) }
        var findings = FindingList()
        swap(&findings, &checked.findings)
        checkOne(tile, into: &checked)
        swap(&findings, &checked.findings)
        checked.findings.merge(findings, times: tile.group.count)
    }

    private mutating func checkOne(_ tile: OpenedTile, into checked: inout CheckedTiles) {
        if let wantsGzip, wantsGzip != tile.isGzip {
            checked.findings.add(
                .error, wantsGzip ? "not-gzip" : "gzip",
                wantsGzip
                    ? "a tile is not gzip, though the format or the header says so"
                    : "a tile is gzip, though the header says that tiles are not packed",
                at: tile.id.description)
        }
        let index = (try? tile.inflated).map { TileIndex(of: $0.span) }
        nodeCheck?.begin(tile.id, &checked)
        defer { nodeCheck?.end(tile, &checked) }
        switch digester.digest(tile, index, into: &checked.survey, nodes: &nodeCheck) {
        case .compression(let error)?:
            checked.findings.add(
                .error, "bad-gzip", "a tile's gzip is damaged", at: "\(tile.id): \(error)")
            return
        case .contents(.tooLarge)?:
            checked.findings.add(
                .error, "too-large", "a tile is too large to be checked", at: tile.id.description)
            return
        default: validate(tile, index, into: &checked.findings)
        }
    }

    /// Checks a tile against MVT 2.1, rule by rule.
    private mutating func validate(
        _ tile: OpenedTile, _ index: TileIndex?, into findings: inout FindingList
    ) {
        guard case .success(let bytes) = tile.contents,
            let broken = try? validator.findings(in: bytes.span, index)
        else { return }
        for finding in broken { findings.add(finding, at: "\(tile.id): ") }
        if let difference = second.difference(in: bytes.span, index) {
            findings.add(difference, at: "\(tile.id): ")
        }
    }
}
