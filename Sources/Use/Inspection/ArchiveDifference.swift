import ArchiveContract
import Basics
import Geometry
import JSON
import TileArchive
import VectorTile

/// The differences between two archives: metadata, tiles, features.
///
/// Both are read side by side in key order, so memory holds two tiles at a time. Tiles with the
/// same stored bytes are not decoded.
public struct ArchiveDifference: Sendable {
    /// A metadata row that differs between the archives; nil on a side that lacks it.
    public struct Row: Sendable {
        public let name: String
        public let a: String?
        public let b: String?
    }

    /// The differences at one zoom.
    public struct Zoom: Sendable {
        public let zoom: Int
        public internal(set) var sameTiles = 0
        /// Tiles with different bytes but the same features in the same order.
        public internal(set) var repackedTiles = 0
        public internal(set) var changedTiles = 0
        public internal(set) var onlyInA = 0
        public internal(set) var onlyInB = 0
        /// Features that are only in `a`, in tiles of both archives or of one.
        public internal(set) var featuresOnlyInA = 0
        public internal(set) var featuresOnlyInB = 0
        /// Tiles among those that differ that cannot be read, and so have no features.
        public internal(set) var unreadableInA = 0
        public internal(set) var unreadableInB = 0
        /// The first tile that differs.
        public internal(set) var first: TileID?

        public var differs: Bool {
            repackedTiles + changedTiles + onlyInA + onlyInB > 0
        }
    }

    public private(set) var rows: [Row] = []
    public private(set) var zooms: [Zoom] = []

    public var isEmpty: Bool { rows.isEmpty && !zooms.contains { $0.differs } }

    /// Compares two archives.
    /// - Parameter tell: is called with tiles that differ, in the order of the walk.
    public init(
        _ a: Archive, _ b: Archive,
        tell: (TileGroup, TileChange) throws(ArchiveError) -> Void = { _, _ in }
    ) throws(ArchiveError) {
        compareMetadata(a.metadata, b.metadata)
        let clusters = (try Self.clusters(of: a), try Self.clusters(of: b))
        if clusters.0 != clusters.1 {
            rows.append(Row(name: "clusters", a: clusters.0, b: clusters.1))
        }
        var alongCurve = try a.scanAlongCurve() != nil
        if alongCurve { alongCurve = try b.scanAlongCurve() != nil }
        var first = try ComparedTiles(a, alongCurve: alongCurve)
        var second = try ComparedTiles(b, alongCurve: alongCurve)
        try first.pass(to: 0)
        try second.pass(to: 0)
        while case let start = min(first.places.lowerBound, second.places.lowerBound), start < .max
        {
            let end = min(first.edge(behind: start), second.edge(behind: start))
            let (inA, inB) = (first.places.contains(start), second.places.contains(start))
            let group = inA ? first.group(start..<end) : second.group(start..<end)
            if inA, inB {
                try compare(group, &first, &second, tell)
            } else {
                let own = inA ? try first.features(of: group) : try second.features(of: group)
                count(group) { zoom in
                    zoom.onlyInA += inA ? group.count : 0
                    zoom.onlyInB += inB ? group.count : 0
                    zoom.tell(inA ? own : [], inB ? own : [], in: group)
                }
                try tell(group, inA ? .removed : .added)
            }
            if inA { try first.pass(to: end) }
            if inB { try second.pass(to: end) }
        }
    }

    /// What an archive has of the payloads that its metadata describe; nil if it has none.
    private static func clusters(of archive: Archive) throws(ArchiveError) -> String? {
        guard archive.hasClusters else { return nil }
        guard let blocks = (try? archive.description?.get())?.blocks,
            let payloads = try archive.contents.clusterPayloads()
        else { return "what is in clusters" }
        return payloads.damage(of: blocks).first ?? "what is in clusters"
    }

    private mutating func compareMetadata(_ a: ArchiveMetadata, _ b: ArchiveMetadata) {
        // The row of covey has a hash of all that is in clusters.
        var left = Dictionary(a.rows.map { ($0.name, $0.value) }) { first, _ in first }
        var right = Dictionary(b.rows.map { ($0.name, $0.value) }) { first, _ in first }
        // Not every container keeps a hash; tiles are compared directly.
        if a.tilesHash == nil || b.tilesHash == nil {
            left["agg_tiles_hash"] = nil
            right["agg_tiles_hash"] = nil
        }
        for name in Set(left.keys).union(right.keys).sorted() where left[name] != right[name] {
            rows.append(Row(name: name, a: left[name], b: right[name]))
        }
    }

    private mutating func compare(
        _ group: TileGroup, _ a: inout ComparedTiles, _ b: inout ComparedTiles,
        _ tell: (TileGroup, TileChange) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        if a.bytes.holdsSame(as: b.bytes) {
            return count(group, differs: false) { $0.sameTiles += group.count }
        }
        let left = try a.features(of: group)
        let right = try b.features(of: group)
        guard left == nil || left != right else {
            try tell(group, .repacked)
            return count(group) { $0.repackedTiles += group.count }
        }
        try tell(group, .changed)
        count(group) { zoom in
            zoom.changedTiles += group.count
            zoom.tell(left, right, in: group)
        }
    }

    private mutating func count(
        _ group: TileGroup, differs: Bool = true, _ body: (inout Zoom) -> Void
    ) {
        let number = Int(group.first.z)
        var zoom = zooms.last?.zoom == number ? zooms.removeLast() : Zoom(zoom: number)
        body(&zoom)
        if differs, zoom.first.map({ group.first.comesInKeys(before: $0) }) ?? true {
            zoom.first = group.first
        }
        zooms.append(zoom)
    }

}

extension ArchiveDifference.Zoom {
    /// Adds the features of tiles that only one archive has, or the other has differently; nil for tiles that cannot be
    /// read.
    fileprivate mutating func tell(_ a: [UInt64]?, _ b: [UInt64]?, in group: TileGroup) {
        unreadableInA += a == nil ? group.count : 0
        unreadableInB += b == nil ? group.count : 0
        let (a, b) = (a ?? [], b ?? [])
        let onlyInA = Self.count(a, without: b)
        featuresOnlyInA += onlyInA * group.count
        featuresOnlyInB += (b.count - (a.count - onlyInA)) * group.count
    }

    /// The number of elements of `a` without a partner in `b`.
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

extension ArchiveDifference {
    public var json: JSONValue {
        let rows = rows.map { row -> JSONValue in
            [
                "row": .string(row.name), "a": row.a.map(JSONValue.string) ?? .null,
                "b": row.b.map(JSONValue.string) ?? .null,
            ]
        }
        let zooms = zooms.map { zoom -> JSONValue in
            var object: JSONObject = [
                "zoom": .integer(Int64(zoom.zoom)), "same_tiles": .integer(Int64(zoom.sameTiles)),
                "repacked_tiles": .integer(Int64(zoom.repackedTiles)),
                "changed_tiles": .integer(Int64(zoom.changedTiles)),
                "tiles_only_in_a": .integer(Int64(zoom.onlyInA)),
                "tiles_only_in_b": .integer(Int64(zoom.onlyInB)),
                "features_only_in_a": .integer(Int64(zoom.featuresOnlyInA)),
                "features_only_in_b": .integer(Int64(zoom.featuresOnlyInB)),
                "first": zoom.first.map { .string($0.description) } ?? .null,
            ]
            for (side, count) in [("a", zoom.unreadableInA), ("b", zoom.unreadableInB)]
            where count > 0 {
                object["unreadable_tiles_in_\(side)"] = .integer(Int64(count))
            }
            return .object(object)
        }
        return ["differs": .bool(!isEmpty), "metadata": .array(rows), "zooms": .array(zooms)]
    }
}
