import Basics

/// Holds tiles against the rules of MVT 2.1.
///
/// A validator may be used for millions of tiles, one after another, and keeps its memory. Of each
/// feature the first broken rule of reading it is reported, then those of its content.
public struct TileValidator: ~Copyable, Sendable {
    let limits: TileLimits
    /// No more are told of one tile: of millions of features each may break a rule.
    package static let mostFindings = 10_000
    var findings: [TileFinding] = []
    /// Tells texts, values and ids apart that occur twice.
    var seen = ValueTable()
    var ids: [(id: UInt64, index: Int)] = []
    /// Where the names of the layers so far lie.
    private var names: [ByteRange] = []

    public init(limits: TileLimits = TileLimits()) { self.limits = limits }

    /// All that is wrong with the tile; a fatal finding is the last.
    /// - Throws: only that the tile is too large to be looked at.
    /// - Complexity: O(bytes) for points and lines, for polygons see `RingCheck`.
    public mutating func findings(in bytes: Span<UInt8>) throws(TileError) -> [TileFinding] {
        try findings(in: bytes, nil)
    }

    /// The same where it is known where the tile's layers lie.
    package mutating func findings(
        in bytes: Span<UInt8>, _ index: TileIndex?
    ) throws(TileError) -> [TileFinding] {
        findings.removeAll(keepingCapacity: true)
        do throws(TileError) {
            var tile = try TileReader(bytes, index, limits: limits)
            names.removeAll(keepingCapacity: true)
            while let layer = try tile.nextLayer() {
                checkName(of: layer)
                try check(layer)
            }
        } catch {
            guard case .broken(let rule, let location) = error else { throw error }
            add(TileFinding(rule, at: location))
        }
        return findings
    }

    /// What is fatal is told however much else there is.
    mutating func add(_ finding: TileFinding) {
        guard findings.count < Self.mostFindings || finding.severity == .fatal else { return }
        findings.append(finding)
    }

    /// MVT 4.1: names are told apart byte for byte.
    private mutating func checkName(of layer: borrowing LayerView) {
        let name = layer.index.fields.name
        if names.contains(where: { layer.bytes.extracting($0.range).holdsSame(as: layer.nameBytes) }
        ) {
            add(.duplicateLayerName, layer)
        }
        names.append(name)
    }

    mutating func add(_ rule: TileRule, _ layer: borrowing LayerView, offset: Int? = nil) {
        let location = TileLocation(offset: offset ?? layer.range.lowerBound, layer: layer.number)
        add(TileFinding(rule, at: location))
    }

    mutating func add(_ rule: TileRule, _ feature: borrowing FeatureView) {
        let location = TileLocation(
            offset: feature.offset, layer: feature.layer, feature: feature.number)
        add(TileFinding(rule, at: location))
    }
}
