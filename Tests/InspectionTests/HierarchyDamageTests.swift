import ArchiveContract
import Inspection
import SQLite
import Testing
import TileArchive

/// Rows of the cluster index that do not lie as a tree does, one condition at a time.
struct HierarchyDamageTests {
    private func clusters(_ built: BuiltArchive) throws -> [ClusterRecord] {
        let scan = try built.archive.scanClusters()
        var clusters: [ClusterRecord] = []
        while let row = try scan.next() {
            guard case .cluster(let record) = row else { continue }
            clusters.append(record)
        }
        return clusters
    }

    /// A parent of at least four points and a child that does not begin where it begins.
    private func pair(
        _ built: BuiltArchive, startsLater: Bool
    ) throws -> (parent: ClusterRecord, child: ClusterRecord) {
        let all = try clusters(built)
        for child in all {
            guard let parent = all.first(where: { $0.key == child.parent }),
                startsLater == (child.key.firstLeaf > parent.key.firstLeaf),
                // Nothing lies in the child, so that it alone is out of order.
                !all.contains(where: { $0.parent == child.key })
            else { continue }
            return (parent, child)
        }
        throw NoSuchPair()
    }

    private struct NoSuchPair: Error {}

    /// What is found of the hierarchy once a row is another.
    private func messages(_ built: BuiltArchive) throws -> Set<String> {
        Set(try built.findings().filter { $0.code == "hierarchy" }.map(\.message))
    }

    private static let outside: Set<String> = [
        "a cluster does not lie within the cluster around it"
    ]
    private static let parent: Set<String> = ["a cluster's parent is not the cluster around it"]
    private static let layer: Set<String> = [
        "a cluster has points or a zoom that its layer does not have"
    ]

    @Test(arguments: ArchiveKind.usual)
    func `a cluster must end where the one around it ends, or before`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let (parent, child) = try pair(built, startsLater: true)
        let room = parent.leaves.upperBound - child.leaves.lowerBound
        try built.change(
            "UPDATE covey_clusters SET leaves = \(room + 1) WHERE key = \(child.key.packed)")
        #expect(try messages(built) == Self.outside)
        try built.change(
            "UPDATE covey_clusters SET leaves = \(room) WHERE key = \(child.key.packed)")
        // It holds what lies behind it then, which says that its parent is another.
        #expect(try messages(built).isDisjoint(with: Self.layer))
    }

    @Test(arguments: ArchiveKind.usual)
    func `a cluster must form deeper than the one around it`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let (parent, child) = try pair(built, startsLater: true)
        let key = ClusterKey(firstLeaf: child.key.firstLeaf, zoom: parent.key.zoom)
        try built.change(
            "UPDATE covey_clusters SET key = \(key.packed), up = NULL "
                + "WHERE key = \(child.key.packed)")
        #expect(try messages(built) == Self.outside)
    }

    @Test(arguments: ArchiveKind.usual)
    func `a cluster must hold fewer points than the one around it`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let (parent, child) = try pair(built, startsLater: false)
        try built.change(
            """
            UPDATE covey_clusters SET leaves = \(parent.leafCount) WHERE key = \(child.key.packed)
            """)
        #expect(try messages(built).isSuperset(of: Self.outside))
        #expect(try messages(built).isDisjoint(with: Self.layer))
    }

    @Test(arguments: ArchiveKind.usual)
    func `a cluster names the one around it`(kind: ArchiveKind) throws {
        let built = try BuiltArchive(kind)
        let (_, child) = try pair(built, startsLater: true)
        try built.change("UPDATE covey_clusters SET up = NULL WHERE key = \(child.key.packed)")
        #expect(try messages(built) == Self.parent)
        #expect(try built.codes() == ["hierarchy"])
        try built.change("UPDATE covey_clusters SET up = 1 WHERE key = \(child.key.packed)")
        #expect(try messages(built).isSubset(of: Self.parent))
    }

    @Test func `a cluster has the points and zooms of its layer`() throws {
        let built = try BuiltArchive(.layers)
        let all = try clusters(built)
        let root = try #require(all.last { $0.parent == nil && $0.leaves.upperBound <= 100 })
        let key = root.key.packed
        let room = 100 - root.leaves.lowerBound
        try built.change("UPDATE covey_clusters SET leaves = \(room + 1) WHERE key = \(key)")
        #expect(try messages(built).isSuperset(of: Self.layer))
        try built.change("UPDATE covey_clusters SET leaves = 1 WHERE key = \(key)")
        #expect(try messages(built).isSuperset(of: Self.layer))
        let last = try #require(
            all.last { record in
                !all.contains { $0.parent == record.key } && record.key.zoom == 3
            })
        let deeper = ClusterKey(firstLeaf: last.key.firstLeaf, zoom: 4).packed
        let other = try BuiltArchive(.layers)
        let up = last.parent.map { "\(deeper - $0.packed)" } ?? "NULL"
        try other.change(
            "UPDATE covey_clusters SET key = \(deeper), up = \(up) WHERE key = \(last.key.packed)")
        #expect(try messages(other) == Self.layer)
        // A layer that holds clusters together deeper down may have it.
        try other.change(
            "UPDATE metadata SET value = replace(value, '\"maxZoom\":3', "
                + "'\"maxZoom\":3,\"heldMaxZoom\":4') WHERE name = 'covey'")
        #expect(try messages(other) == [])
    }

    @Test func `a layer's points are those that are drawn at each of its zooms`() throws {
        let built = try BuiltArchive(.layers)
        try built.change(
            #"""
            UPDATE metadata SET value = replace(value, '"id":"plain","minzoom":0',
            '"id":"plain","minzoom":1') WHERE name = 'json'
            """#)
        // And not those at which vector_layers says that it is.
        #expect(try built.codes() == ["layer-zooms", "index"])
        try built.change(
            #"""
            UPDATE metadata SET value = replace(value, '"id":"plain","minzoom":1,"maxzoom":4',
            '"id":"plain","minzoom":1,"maxzoom":5') WHERE name = 'json'
            """#)
        #expect(try built.codes() == ["layer-zooms", "sums", "index"])
    }
}
