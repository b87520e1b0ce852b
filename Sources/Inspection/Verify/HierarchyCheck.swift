import Compression
import Geometry
import SQLite
import TileArchive
import VectorTile

/// Walks over the cluster index and the leaf blocks side by side, both in leaf order, and posts
/// what each zoom must draw.
///
/// Clusters sorted by id come as a walk down the tree: a cluster, then what lies in it. So the
/// open clusters are a stack, and memory does not depend on how many there are.
struct HierarchyCheck: ~Copyable {
    private let facts: CoveyFacts
    private let zooms: ClosedRange<Int>
    private var leaves: LeafStream
    private var open: [ClusterRow] = []
    private var findings = FindingList()
    private var drawn: Ledger
    private var places: PlaceLedger

    struct Result {
        var findings: FindingList
        var drawn: Ledger
        var places: PlaceLedger
    }

    /// A row of `covey_clusters`.
    struct ClusterRow {
        var id: Int64
        var count: Int64
        var x: Int32
        var y: Int32
        var parent: Int64?

        var first: Int64 { id >> 5 }
        var zoom: Int { Int(id & 31) }
        var end: Int64 { first + count }
    }

    init(
        _ archive: Archive, _ facts: CoveyFacts, zooms: ClosedRange<Int>, drawn: Ledger,
        places: PlaceLedger
    ) throws(SQLiteError) {
        self.facts = facts
        self.zooms = zooms
        self.drawn = drawn
        self.places = places
        leaves = try LeafStream(Database(path: archive.path, mode: .readOnly))
    }

    /// Goes through all of it.
    consuming func run(_ database: borrowing Database) throws(SQLiteError) -> Result {
        var rows = try database.prepare(
            "SELECT id, leaves, x, y, up FROM covey_clusters ORDER BY id")
        while try rows.step() {
            guard let row = ClusterRow(rows) else {
                findings.add(
                    .error, "cluster-row", "a row of covey_clusters makes no sense",
                    at: "id \(rows.integer(at: 0))")
                continue
            }
            try passLeaves(upTo: min(row.first, facts.leafCount))
            try include(row)
        }
        try passLeaves(upTo: facts.leafCount)
        try leaves.finish(expecting: facts.leafCount)
        findings.merge(leaves.findings)
        return Result(findings: findings, drawn: drawn, places: places)
    }

    private mutating func include(_ row: ClusterRow) throws(SQLiteError) {
        while let top = open.last, top.end <= row.first { open.removeLast() }
        let parent = open.last
        func fail(_ message: String, _ findings: inout FindingList) {
            findings.add(.error, "hierarchy", message, at: "cluster \(row.id)")
        }
        if let parent, row.end > parent.end || row.zoom <= parent.zoom || row.count >= parent.count
        {
            fail("a cluster does not lie within the cluster around it", &findings)
            return
        }
        if row.parent != parent?.id {
            fail("a cluster's parent is not the cluster around it", &findings)
        }
        guard let hierarchy = facts.hierarchy(ofLeaf: row.first),
            row.end <= hierarchy.leaves.upperBound, row.count >= 2,
            hierarchy.clusterZooms.lowerBound...hierarchy.heldMaxZoom ~= row.zoom
        else {
            fail("a cluster has points or a zoom that its layer does not have", &findings)
            return
        }
        expect(row, from: max(parent.map { $0.zoom + 1 } ?? 0, zooms.lowerBound))
        open.append(row)
    }

    /// The cluster is drawn from below its parent's zoom down to its own.
    private mutating func expect(_ row: ClusterRow, from first: Int) {
        let last = min(row.zoom, zooms.upperBound)
        guard first <= last else { return }
        for zoom in first...last {
            let entry = DrawnLedger.cluster(id: row.id, points: row.count, zoom: zoom)
            drawn.post(.expected(entry.hash, in: entry.bucket))
            if zoom == row.zoom {
                places.expect(PlaceEntry.expected(x: row.x, y: row.y, bucket: entry.bucket))
            }
        }
    }

    /// Takes the leaves before `end`: each is drawn on its own below its innermost cluster.
    private mutating func passLeaves(upTo end: Int64) throws(SQLiteError) {
        while leaves.number < end {
            while let top = open.last, top.end <= leaves.number { open.removeLast() }
            let first = max((open.last?.zoom ?? -1) + 1, zooms.lowerBound)
            guard let leaf = try leaves.next() else { return }
            guard first <= zooms.upperBound else { continue }
            for zoom in first...zooms.upperBound {
                let entry = DrawnLedger.point(leaf.fingerprint, zoom: zoom)
                drawn.post(.expected(entry.hash, in: entry.bucket))
                if zoom == zooms.upperBound {
                    places.expect(
                        PlaceEntry.expected(
                            x: leaf.place.x, y: leaf.place.y, bucket: entry.bucket))
                }
            }
        }
    }
}

extension HierarchyCheck.ClusterRow {
    init?(_ row: borrowing Statement) {
        let id = row.integer(at: 0)
        let count = row.integer(at: 1)
        guard id >= 0, count > 0, count < 1 << 48,
            let x = Int32(exactly: row.integer(at: 2)), let y = Int32(exactly: row.integer(at: 3))
        else { return nil }
        let up = row.kind(at: 4) == .null ? nil : row.integer(at: 4)
        self.init(
            id: id, count: count, x: x, y: y,
            parent: up.map { id.subtractingReportingOverflow($0).partialValue })
    }
}
