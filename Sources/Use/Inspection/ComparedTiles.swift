import Basics
import Geometry
import TileArchive

/// The tiles of one of two archives that are compared, in an order that both have: along the curve,
/// in groups of consecutive tiles with the same contents, or else by key, one by one.
struct ComparedTiles: ~Copyable {
    private var scan: TileScan
    private let alongCurve: Bool
    private let path: String
    private var budget: WorkBudget
    private var tile = TileID(z: 0, x: 0, y: 0)
    private let opener = TileOpener()
    /// The hashes of the last features that were read, and the hash of their tile's bytes.
    private var known: (hash: UInt64, features: [UInt64]?)?
    /// The places in that order of the present tiles, once `pass(to: 0)` was called; past all
    /// others after the last.
    private(set) var places: Range<UInt128> = 0..<0

    init(_ archive: Archive, alongCurve: Bool) throws(ArchiveError) {
        if alongCurve, let curve = try archive.scanAlongCurve() {
            scan = curve
        } else {
            scan = try archive.scan()
        }
        self.alongCurve = alongCurve
        path = archive.path
        budget = archive.workBudget
    }

    var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        get { scan.bytes }
    }

    /// The next place after `place` at which these tiles begin or end.
    func edge(behind place: UInt128) -> UInt128 {
        places.lowerBound > place ? places.lowerBound : places.upperBound
    }

    /// Skips the tiles before a place.
    mutating func pass(to end: UInt128) throws(ArchiveError) {
        guard places.upperBound <= end else {
            places = max(end, places.lowerBound)..<places.upperBound
            return
        }
        guard let group = try scan.nextGroup() else {
            places = .max..<(.max)
            return
        }
        tile = group.runs.first?.first ?? group.first
        let start =
            alongCurve
            ? UInt128(tile.hilbertID)
            : UInt128(tile.z) << 64 | UInt128(tile.x) << 32 | UInt128(tile.tmsRow)
        places = start..<start + UInt128(group.count)
    }

    /// The present tiles with these places.
    func group(_ places: Range<UInt128>) -> TileGroup {
        guard alongCurve else { return TileGroup(tile) }
        let first = UInt128(TileID.firstHilbertID(atZoom: tile.z))
        return TileGroup([
            TileRun(
                zoom: tile.z,
                distances: UInt64(places.lowerBound - first)..<UInt64(places.upperBound - first))
        ])
    }

    /// A hash of each feature, in their order; nil for a tile that cannot be read.
    /// - Parameter group: the tiles for which they are counted.
    mutating func features(of group: TileGroup) throws(ArchiveError) -> [UInt64]? {
        let hash = Fingerprint.hash(of: scan.bytes)
        if known?.hash != hash { known = (hash, try readFeatures()) }
        let features = known?.features
        try budget.count(bytes: features?.count ?? 1, times: group.count, of: path)
        return features
    }

    private mutating func readFeatures() throws(ArchiveError) -> [UInt64]? {
        let opened = opener.open(scan.bytes.copied[...])
        try budget.take(bytes: opened.inflatedBytes, of: path)
        guard case .success(let bytes) = opened.contents else { return nil }
        return try? Fingerprint.ofFeatures(in: bytes.span)
    }
}
