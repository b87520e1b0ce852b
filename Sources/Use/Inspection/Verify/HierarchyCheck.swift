import Conversion
import ArchiveContract
import Geometry
import TileArchive

/// Walks over the cluster index and the leaf blocks side by side, both in leaf order, and posts
/// what each zoom must draw.
///
/// Clusters sorted by key form a walk down the tree: a cluster, then what lies in it. So the open
/// clusters are a stack, and memory does not depend on the number of clusters.
struct HierarchyCheck: ~Copyable {
    private let facts: CoveyFacts
    /// The zooms at which each hierarchy is drawn; nil if it is not drawn.
    private let zooms: [ClosedRange<Int>?]
    private var leaves: LeafStream
    private let rows: any ClusterWalk
    private var open: [ClusterRecord] = []
    private var lastHierarchy: Int?
    /// The number of clusters in each hierarchy.
    private var counts: [Int64]
    /// The deepest zoom at which a cluster of each was formed.
    private var deepest: [Int]
    private var findings = FindingList()
    private var drawn: Ledger
    private var positions: PositionLedger
    private var ids = IDLedger()
    private let pages: any IDWalk
    private let table: LeafBlockTable

    struct Result {
        var findings: FindingList
        var drawn: Ledger
        var positions: PositionLedger
    }

    init(
        _ archive: Archive, _ facts: CoveyFacts, zooms: [ClosedRange<Int>?], drawn: Ledger,
        positions: PositionLedger
    ) throws(ArchiveError) {
        let clusters = try archive.scanClusters()
        let table = try archive.leafBlockTable()
        let stream = try LeafStream(archive, in: table)
        pages = try archive.scanIDs()
        rows = clusters
        self.table = table
        leaves = stream
        self.facts = facts
        counts = facts.layers.map { _ in 0 }
        deepest = facts.layers.map { _ in 0 }
        self.zooms = zooms
        self.drawn = drawn
        self.positions = positions
    }

    /// Walks over all of it.
    consuming func run() throws(ArchiveError) -> Result {
        while let row = try rows.next() {
            switch row {
            case .damaged(let number):
                findings.add(
                    .error, "cluster-row", "a row of the cluster index makes no sense",
                    at: "row \(number)")
            case .cluster(let cluster):
                try passLeaves(upTo: min(cluster.key.firstLeaf, facts.description.leafCount))
                include(cluster)
            }
        }
        try passLeaves(upTo: facts.description.leafCount)
        try leaves.finish(expecting: facts.description.leafCount)
        checkClaims()
        try checkIDs()
        findings.merge(leaves.findings)
        return Result(findings: findings, drawn: drawn, positions: positions)
    }

    /// Each id must lead to its cluster, if the archive has an index of ids.
    private mutating func checkIDs() throws(ArchiveError) {
        guard facts.description.ids == .placed else { return }
        do {
            while let page = try pages.next() {
                for (id, target) in page { ids.find(id, target) }
            }
        } catch {
            guard case .damagedClusters = error else { throw error }
            findings.add(.error, "id-index", "the index of ids is damaged", at: "\(error)")
            return
        }
        if let fault = ids.fault { findings.add(.error, "id-index", fault, at: "the index of ids") }
    }

    private mutating func checkClaims() {
        for (layer, count) in zip(facts.layers, counts) {
            guard let said = layer.clusterCount, said != count else { continue }
            findings.add(
                .error, "cluster-count",
                "the index does not have as many clusters as the archive says",
                at: "\(layer.name): \(count), not \(said)")
        }
        for (layer, deepest) in zip(facts.layers, deepest) {
            guard let said = layer.clustering else { continue }
            let held = deepest > layer.maxZoom ? deepest : nil
            guard held != said.heldMaxZoom else { continue }
            findings.add(
                .error, "held-zoom",
                "clusters do not hold together down to the zoom that the archive says",
                at: "\(layer.name): \(held.map(String.init) ?? "no zoom"), not "
                    + "\(said.heldMaxZoom.map(String.init) ?? "none")")
        }
    }

    private mutating func include(_ row: ClusterRecord) {
        let leaves = row.leaves
        let index = facts.index(ofLeaf: leaves.lowerBound)
        if let index {
            counts[index] += 1
            deepest[index] = max(deepest[index], Int(row.key.zoom))
        }
        while let top = open.last, top.leaves.upperBound <= leaves.lowerBound { open.removeLast() }
        let parent = open.last
        let id = facts.description.id(of: row)
        expect(id, of: row)
        func fail(_ message: String, _ findings: inout FindingList) {
            findings.add(.error, "hierarchy", message, at: "cluster \(id)")
        }
        if let parent,
            leaves.upperBound > parent.leaves.upperBound || row.key.zoom <= parent.key.zoom
                || row.leafCount >= parent.leafCount
        {
            fail("a cluster does not lie within the cluster around it", &findings)
            return
        }
        if row.parent != parent?.key {
            fail("a cluster's parent is not the cluster around it", &findings)
        }
        guard let index, facts.layers[index].holds(row) else {
            fail("a cluster has points or a zoom that its layer does not have", &findings)
            return
        }
        if let zooms = zooms[index] {
            expect(row, from: parent?.expansionZoom ?? 0, within: zooms)
        }
        open.append(row)
    }

    /// An id must lead to the cluster's block, and in format 3 to its first leaf; ids of large clusters are on no page.
    private mutating func expect(_ id: Int64, of row: ClusterRecord) {
        guard facts.description.format > 3 else { return ids.expect(id, row.key.firstLeaf) }
        guard table.wholeBlocks(row.leaves) == nil else { return }
        ids.expect(id, table.block(ofLeaf: row.key.firstLeaf))
    }

    /// A cluster must be drawn from the zoom after its parent's down to its own.
    private mutating func expect(
        _ row: ClusterRecord, from expansionZoom: Int, within zooms: ClosedRange<Int>
    ) {
        let first = max(expansionZoom, zooms.lowerBound)
        let last = min(Int(row.key.zoom), zooms.upperBound)
        guard first <= last else { return }
        for zoom in first...last {
            let entry = DrawnLedger.cluster(
                id: facts.description.id(of: row), points: row.leafCount, zoom: zoom)
            drawn.post(.expected(entry.hash, in: entry.bucket))
            positions.expect(.init(of: row.position, bucket: entry.bucket))
        }
    }

    /// Takes the leaves before `end`: each must be drawn singly at the zooms below its innermost cluster.
    private mutating func passLeaves(upTo end: Int64) throws(ArchiveError) {
        while leaves.number < end {
            let hierarchy = hierarchy(ofLeaf: leaves.number)
            while let top = open.last, top.leaves.upperBound <= leaves.number { open.removeLast() }
            guard let leaf = try leaves.next() else { return }
            guard let hierarchy, let zooms = zooms[hierarchy] else { continue }
            let first = max(open.last?.expansionZoom ?? 0, zooms.lowerBound)
            guard first <= zooms.upperBound else { continue }
            for zoom in first...zooms.upperBound {
                let entry = DrawnLedger.point(leaf.fingerprint, zoom: zoom)
                drawn.post(.expected(entry.hash, in: entry.bucket))
                let place = GridPoint(x: leaf.position.x, y: leaf.position.y)
                positions.expect(.init(of: place, bucket: entry.bucket))
            }
        }
    }

    /// The hierarchy of a leaf; leaves are in order, so it is usually that of the previous leaf.
    private mutating func hierarchy(ofLeaf leaf: Int64) -> Int? {
        if let last = lastHierarchy, facts.layers[last].leaves.contains(leaf) { return last }
        lastHierarchy = facts.index(ofLeaf: leaf)
        return lastHierarchy
    }
}

extension ClusterDescription.Layer {
    /// Whether the layer can have such a cluster.
    fileprivate func holds(_ row: ClusterRecord) -> Bool {
        row.leaves.upperBound <= leaves.upperBound && row.leafCount >= 2
            && minZoom...lastClusterZoom ~= Int(row.key.zoom)
    }
}

/// Compares the ids of clusters with the index of ids by sums, since there may be too many for
/// memory.
private struct IDLedger {
    private var expected: (count: Int, sum: UInt64) = (0, 0)
    private var found: (count: Int, sum: UInt64) = (0, 0)
    private var last: Int64 = 0
    private var ascends = true

    mutating func expect(_ id: Int64, _ target: Int64) {
        expected.count += 1
        expected.sum &+= Self.mixed(id, target)
    }

    mutating func find(_ id: Int64, _ target: Int64) {
        if id <= last { ascends = false }
        last = id
        found.count += 1
        found.sum &+= Self.mixed(id, target)
    }

    var fault: String? {
        if !ascends { return "ids do not ascend" }
        if found.count != expected.count {
            return "there are \(found.count) ids for \(expected.count) clusters"
        }
        return found.sum == expected.sum ? nil : "ids do not lead to their clusters"
    }

    private static func mixed(_ id: Int64, _ target: Int64) -> UInt64 {
        Fingerprint.mix(UInt64(bitPattern: id), UInt64(bitPattern: target))
    }
}
