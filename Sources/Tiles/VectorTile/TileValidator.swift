import Basics

/// Checks tiles against the rules of MVT 2.1.
///
/// A validator may be used for millions of tiles, one after another, and keeps its memory. For each feature it
/// reports the first rule that reading it breaks, then those that its content breaks.
public struct TileValidator: ~Copyable, Sendable {
    let limits: TileLimits
    /// The most findings that are reported of one tile: each of millions of features may break a rule.
    package static let mostFindings = 10_000
    var findings: [TileFinding] = []
    /// Finds texts, values and ids that occur twice.
    var seen = ValueTable()
    var ids: [(id: UInt64, index: Int)] = []
    /// The ranges of the names of the layers so far.
    private var names: [ByteRange] = []

    public init(limits: TileLimits = TileLimits()) { self.limits = limits }

    /// Everything that is wrong with the tile; a fatal finding is the last.
    /// - Throws: only if the tile is too large to be checked.
    /// - Complexity: O(bytes) for points and lines, for polygons see `RingCheck`.
    public mutating func findings(in bytes: Span<UInt8>) throws(TileError) -> [TileFinding] {
        try findings(in: bytes, nil)
    }

    /// Finds everything that is wrong with the tile, with an index of its layers.
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

    /// A fatal finding is reported however many others there are.
    mutating func add(_ finding: TileFinding) {
        guard findings.count < Self.mostFindings || finding.severity == .fatal else { return }
        findings.append(finding)
    }

    /// Checks that the name of a layer is new; names are compared byte for byte (MVT 4.1).
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
