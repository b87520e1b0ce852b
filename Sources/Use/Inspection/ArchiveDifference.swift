import ArchiveContract
import Geometry
import JSON
import TileArchive

/// What differs between two archives: metadata, tiles, features.
///
/// Both are read side by side in key order, so memory is that of two tiles. Tiles whose stored bytes
/// are the same are not decoded.
public struct ArchiveDifference: Sendable {
    /// A metadata row that the archives do not share; nil where a side lacks it.
    public struct Row: Sendable {
        public let name: String
        public let a: String?
        public let b: String?
    }

    /// What differs at one zoom.
    public struct Zoom: Sendable {
        public let zoom: Int
        public internal(set) var sameTiles = 0
        /// Tiles with other bytes but the same features in the same order.
        public internal(set) var repackedTiles = 0
        public internal(set) var changedTiles = 0
        public internal(set) var onlyInA = 0
        public internal(set) var onlyInB = 0
        /// Features of tiles that are in both, or of a tile that one side lacks.
        public internal(set) var featuresOnlyInA = 0
        public internal(set) var featuresOnlyInB = 0
        /// The first tile that differs.
        public internal(set) var first: TileID?

        public var differs: Bool {
            repackedTiles + changedTiles + onlyInA + onlyInB > 0
        }
    }

    public private(set) var rows: [Row] = []
    public private(set) var zooms: [Zoom] = []

    public var isEmpty: Bool { rows.isEmpty && !zooms.contains { $0.differs } }

    public init(_ a: Archive, _ b: Archive) throws(ArchiveError) {
        compareMetadata(a.metadata, b.metadata)
        var hasher = FeatureHasher()
        var first = try a.scan()
        var second = try b.scan()
        var tileA = try first.next()
        var tileB = try second.next()
        while tileA != nil || tileB != nil {
            if let tile = tileA, tileB.map({ tile.comes(before: $0) }) ?? true {
                let features = hasher.features(of: tile, first.bytes).count
                count(tile) { zoom in
                    zoom.onlyInA += 1
                    zoom.featuresOnlyInA += features
                }
                tileA = try first.next()
            } else if let tile = tileB, tileA.map({ tile.comes(before: $0) }) ?? true {
                let features = hasher.features(of: tile, second.bytes).count
                count(tile) { zoom in
                    zoom.onlyInB += 1
                    zoom.featuresOnlyInB += features
                }
                tileB = try second.next()
            } else if let tile = tileA {
                compare(tile, first.bytes, second.bytes, &hasher)
                tileA = try first.next()
                tileB = try second.next()
            }
        }
    }

    private mutating func compareMetadata(_ a: ArchiveMetadata, _ b: ArchiveMetadata) {
        var left = Dictionary(a.rowsOfAnyContainer.map { ($0.name, $0.value) }) { first, _ in first
        }
        var right = Dictionary(b.rowsOfAnyContainer.map { ($0.name, $0.value) }) { first, _ in first
        }
        // Not every container keeps a hash; the tiles are compared themselves.
        if a.tilesHash == nil || b.tilesHash == nil {
            left["agg_tiles_hash"] = nil
            right["agg_tiles_hash"] = nil
        }
        for name in Set(left.keys).union(right.keys).sorted() where left[name] != right[name] {
            rows.append(Row(name: name, a: left[name], b: right[name]))
        }
    }

    private mutating func compare(
        _ tile: TileID, _ a: Span<UInt8>, _ b: Span<UInt8>, _ hasher: inout FeatureHasher
    ) {
        if a.holdsSameBytes(as: b) {
            return count(tile, differs: false) { $0.sameTiles += 1 }
        }
        let left = hasher.features(of: tile, a)
        let right = hasher.features(of: tile, b)
        if left == right { return count(tile) { $0.repackedTiles += 1 } }
        let leftOnly = Self.count(left, without: right)
        count(tile) { zoom in
            zoom.changedTiles += 1
            zoom.featuresOnlyInA += leftOnly
            zoom.featuresOnlyInB += right.count - (left.count - leftOnly)
        }
    }

    private mutating func count(
        _ tile: TileID, differs: Bool = true, _ body: (inout Zoom) -> Void
    ) {
        var zoom = zooms.last?.zoom == Int(tile.z) ? zooms.removeLast() : Zoom(zoom: Int(tile.z))
        body(&zoom)
        if differs, zoom.first == nil { zoom.first = tile }
        zooms.append(zoom)
    }

    /// How many elements of `a` have no partner in `b`.
    private static func count(_ a: [UInt64], without b: [UInt64]) -> Int {
        var rest: [UInt64: Int] = [:]
        for feature in b { rest[feature, default: 0] += 1 }
        return a.count { feature in
            guard let left = rest[feature], left > 0 else { return true }
            rest[feature] = left - 1
            return false
        }
    }
}

extension ArchiveMetadata {
    /// The rows without what only says in which file the clusters are.
    fileprivate var rowsOfAnyContainer: [Row] {
        var metadata = self
        if var covey = metadata.covey?.asObject {
            covey[ClusterDescription.Blocks.name] = nil
            metadata.covey = .object(covey)
        }
        return metadata.rows
    }
}

/// Turns tiles into hashes of their features.
private struct FeatureHasher {
    private let opener = TileOpener()
    private var digester = TileDigester(takesFingerprints: true)

    /// A hash of each feature, in their order; of a tile that cannot be read, one of its bytes.
    mutating func features(of tile: TileID, _ stored: Span<UInt8>) -> [UInt64] {
        let opened = opener.open(tile, stored)
        guard case .success(let bytes) = opened.contents,
            let features = try? digester.fingerprints(of: bytes.span)
        else { return [Fingerprint.hash(of: stored)] }
        return features
    }
}

extension TileID {
    /// Whether a scan comes to this tile first: by zoom, column and row from the south.
    fileprivate func comes(before other: TileID) -> Bool {
        (z, x, tmsRow) < (other.z, other.x, other.tmsRow)
    }
}

extension Span<UInt8> {
    fileprivate func holdsSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }
}

extension ArchiveDifference {
    public var json: JSONValue {
        let rows = rows.map { row -> JSONValue in
            [
                "row": .string(row.name), "a": row.a.map(JSONValue.string) ?? .null,
                "b": row.b.map(JSONValue.string) ?? .null,
            ]
        }
        let zooms = zooms.map { zoom -> JSONValue in
            [
                "zoom": .integer(Int64(zoom.zoom)), "same_tiles": .integer(Int64(zoom.sameTiles)),
                "repacked_tiles": .integer(Int64(zoom.repackedTiles)),
                "changed_tiles": .integer(Int64(zoom.changedTiles)),
                "tiles_only_in_a": .integer(Int64(zoom.onlyInA)),
                "tiles_only_in_b": .integer(Int64(zoom.onlyInB)),
                "features_only_in_a": .integer(Int64(zoom.featuresOnlyInA)),
                "features_only_in_b": .integer(Int64(zoom.featuresOnlyInB)),
                "first": zoom.first.map { .string($0.description) } ?? .null,
            ]
        }
        return ["differs": .bool(!isEmpty), "metadata": .array(rows), "zooms": .array(zooms)]
    }
}
