import ArchiveContract
import ClusterQueries
import Foundation
import Geometry
import SQLite
import TestSupport
import Testing
import TileArchive

/// Questions about clusters, answered as brute force over the sample answers them.
struct ClusterQueryTests {
    static let sample = Result { try SampleClusters() }

    let sample: SampleClusters

    init() throws { sample = try Self.sample.get() }

    @Test func `leaves are the interval's points, page by page`() throws {
        var query = try ClusterQuery(sample.archive)
        for cluster in sample.clusters {
            let offset = cluster.key.packed % 7
            let page = try query.leaves(of: sample.id(of: cluster), offset: offset, limit: 5)
            let first = cluster.leaves.lowerBound + offset
            #expect(page.map(\.number) == Array((first..<first + 5).clamped(to: cluster.leaves)))
            for leaf in page {
                #expect(leaf.position == sample.places[Int(leaf.number)].worldPoint)
                #expect(leaf.id == UInt64(leaf.number) + 7)
                #expect(leaf.tags == [.init("number", .uint(UInt64(leaf.number)))])
            }
        }
        // From the last third of a block over a whole one into the first third of another.
        let block = SampleClusters.block
        let some = Int64(block - 10)..<Int64(2 * block + 10)
        let leaves = try query.leaves(some)
        #expect(leaves.map(\.number) == Array(some))
        let starts = [block / 3, block, block + block / 3, 2 * block]
        #expect(Set(leaves.map(\.layer)) == Set(starts.map { "from \($0)" }))
        #expect(try query.leaves(of: sample.id(of: sample.clusters[0]), offset: .max).isEmpty)
    }

    @Test func `children partition a cluster, and each has it as parent`() throws {
        var query = try ClusterQuery(sample.archive)
        for cluster in sample.clusters {
            var next = cluster.leaves.lowerBound
            for child in try query.children(of: sample.id(of: cluster)).nodes {
                #expect(child.leaves.lowerBound == next)
                next = child.leaves.upperBound
                guard case .cluster(let record) = child else { continue }
                #expect(try query.parent(of: sample.id(of: record))?.key == cluster.key)
            }
            #expect(next == cluster.leaves.upperBound)
        }
    }

    @Test func `the hull is that of all points, in one piece over the antimeridian`() throws {
        var query = try ClusterQuery(sample.archive)
        for cluster in sample.clusters {
            let center = cluster.position.worldPoint.x
            let points = sample.points(of: cluster).map { point in
                GridPoint(WorldPoint(x: point.x - (point.x - center).rounded(), y: point.y))
            }
            let hull = GridHull(of: points).corners.map(\.worldPoint)
            #expect(try query.hull(of: sample.id(of: cluster)) == hull)
        }
        let whole = try query.hull(of: SampleClusters.idBase)
        #expect(whole.contains { $0.x < 1 } && whole.contains { $0.x > 1 })
        #expect(whole.allSatisfy { (0.93...1.08).contains($0.x) })
    }

    @Test func `the box is the narrowest around all points`() throws {
        var query = try ClusterQuery(sample.archive)
        for cluster in sample.clusters {
            let wanted = WorldBox(wrapping: sample.points(of: cluster)).lonLatBox
            #expect(try query.box(of: sample.id(of: cluster)) == wanted)
        }
        let box = try query.box(of: SampleClusters.idBase)
        #expect(box.crossesAntimeridian && box.west > 150 && box.east < -150)
    }

    @Test func `the cluster at a place holds the nearest point, also across the antimeridian`()
        throws
    {
        var query = try ClusterQuery(sample.archive)
        var random = SeededRandom(seed: 5)
        for _ in 0..<6 {
            let place = WorldPoint(x: random.unit(), y: random.unit())
            let distances = sample.places.map { other in
                let across = other.worldPoint.x - place.x
                let near = WorldPoint(
                    x: other.worldPoint.x - across.rounded(), y: other.worldPoint.y)
                return near.squaredDistance(to: place)
            }
            let nearest = try #require(distances.indices.min { distances[$0] < distances[$1] })
            for (zoom, size) in SampleClusters.sizes + [(zoom: 7, leaves: 1)] {
                let node = try query.node(at: place.lonLat, zoom: zoom)
                let reach = 50 / (512 * Double(1 << zoom))
                let isNear = distances[nearest].squareRoot() <= reach
                #expect(node?.leaves.contains(Int64(nearest)) == (isNear ? true : nil))
                #expect(node?.leaves.count == (isNear ? size : nil))
            }
        }
    }

    @Test func `a box of leaves is what lies inside it, page by page`() throws {
        var query = try ClusterQuery(sample.archive)
        let blocks = try query.blockBoxes()
        for box in [
            LonLatBox(west: 170, south: -20, east: -160, north: 60),
            LonLatBox(west: -60, south: -30, east: 60, north: 30),
        ] {
            var found: [Int64] = []
            var next: Int64? = 0
            while let start = next {
                let page = try query.leaves(in: box, from: start, limit: 70, among: blocks)
                #expect(page.leaves.count <= 70)
                found += page.leaves.map(\.number)
                next = page.next
            }
            let wanted = sample.places.indices.filter { number in
                let place = sample.places[number].worldPoint.lonLat
                let isBetween =
                    box.crossesAntimeridian
                    ? place.longitude >= box.west || place.longitude <= box.east
                    : (box.west...box.east).contains(place.longitude)
                return isBetween && (box.south...box.north).contains(place.latitude)
            }
            #expect(wanted.count > 100 && found == wanted.map(Int64.init))
        }
    }

    @Test func `points on the edges of a box are in it, though they are stored in steps`() throws {
        var query = try ClusterQuery(sample.archive)
        let blocks = try query.blockBoxes()
        let place = sample.places[0].worldPoint.lonLat
        // A third of a step is 0.0000001 degrees of longitude; a step is less than one of latitude.
        let step = 360 / GridPoint.steps
        for (shift, isIn) in [(0.0, true), (step / 3, true), (step * 2, false)] {
            let box = LonLatBox(
                west: place.longitude + shift, south: place.latitude - 1e-6,
                east: place.longitude + 1, north: place.latitude + 1e-6)
            let page = try query.leaves(in: box, from: 0, limit: 9, among: blocks)
            #expect(page.leaves.contains { $0.number == 0 } == isIn, "\(shift)")
        }
    }

    @Test func `a box may lie on another copy of the world, and numbers may be anything`() throws {
        var query = try ClusterQuery(sample.archive)
        let blocks = try query.blockBoxes()
        func numbers(_ west: Double, _ east: Double, from start: Int64 = 0) throws -> [Int64] {
            let box = LonLatBox(west: west, south: -30, east: east, north: 30)
            return try query.leaves(in: box, from: start, limit: 50, among: blocks).leaves.map(
                \.number)
        }
        let home = try numbers(170, -160)
        #expect(!home.isEmpty)
        for turn in [0.0, -360, 360] { #expect(try numbers(170 + turn, 200 + turn) == home) }
        #expect(try numbers(-500, 500, from: -5) == numbers(-180, 180))
        #expect(try numbers(.nan, .nan).isEmpty)
        let place = sample.places[0].worldPoint.lonLat
        for zoom in [31, 63, 64, Int.max] { #expect(try query.node(at: place, zoom: zoom) != nil) }
        _ = try numbers(500, -500)
        _ = try numbers(.infinity, -.infinity)
    }

    @Test func `unknown clusters and damaged archives are errors that say what is wrong`() throws {
        let sample = try SampleClusters()
        let archive = try sample.archive
        func cluster(_ id: Int64) throws -> ClusterRecord {
            var query = try ClusterQuery(archive)
            return try query.cluster(id)
        }
        func leafCount() throws -> Int {
            var query = try ClusterQuery(archive)
            return try query.leaves(of: SampleClusters.idBase).count
        }
        #expect(throws: ClusterQueryError.archive(.unknownCluster(path: archive.path, id: 31))) {
            try cluster(31)
        }
        #expect(try leafCount() == SampleClusters.count / 2)
        let writer = try Database(path: archive.path, mode: .readWriteCreate)
        try writer.execute("UPDATE covey_leaf_blocks SET data = x'00' WHERE block = 1")
        #expect(throws: ClusterQueryError.self) { try leafCount() }
        try writer.execute("DELETE FROM covey_leaf_blocks WHERE block = 1")
        #expect(
            throws: ClusterQueryError.archive(.unknownLeafBlock(path: archive.path, block: 1))
        ) { try leafCount() }
        try writer.execute("DROP TABLE covey_clusters")
        #expect(throws: ClusterQueryError.self) { try cluster(0) }
    }

    @Test func `a block that a box does not reach is not read`() throws {
        let sample = try SampleClusters()
        let writer = try Database(path: sample.archive.path, mode: .readWriteCreate)
        // It lies in the west of those across the antimeridian.
        try writer.execute("UPDATE covey_leaf_blocks SET data = x'00' WHERE block = 0")
        var query = try ClusterQuery(sample.archive)
        let blocks = try query.blockBoxes()
        func count(_ box: LonLatBox) throws -> Int {
            try query.leaves(in: box, from: 0, limit: 10, among: blocks).leaves.count
        }
        #expect(try count(LonLatBox(west: -60, south: -30, east: 60, north: 30)) == 10)
        #expect(try count(LonLatBox(west: 159, south: -88, east: 161, north: -87)) == 0)
        #expect(throws: ClusterQueryError.self) {
            try count(LonLatBox(west: 159, south: -30, east: 165, north: 30))
        }
    }

    @Test func `an archive without points has nothing at any place`() throws {
        let sample = try SampleClusters()
        let writer = try Database(path: sample.archive.path, mode: .readWriteCreate)
        try writer.execute("DELETE FROM covey_leaf_blocks; DELETE FROM covey_clusters")
        var query = try ClusterQuery(sample.archive)
        let node = try query.node(at: LonLat(longitude: 0, latitude: 0), zoom: 0)
        #expect(node == nil)
    }
}
