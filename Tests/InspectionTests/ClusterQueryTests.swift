import Geometry
import Inspection
import Testing
import TileArchive

/// Questions about clusters, answered as the sample would.
struct ClusterQueryTests {
    @Test func `leaves are the interval's points, page by page`() throws {
        let file = try SampleFile(points: 2_500)
        var query = try ClusterQuery(file.archive)
        for cluster in file.sample.clusters.filter({ $0.leafCount > 5 }).prefix(40) {
            let wanted = file.sample.points[
                Int(cluster.leaves.lowerBound)..<Int(cluster.leaves.upperBound)
            ]
            .map(\.name)
            let all = try query.leaves(of: cluster.id).map(\.name)
            #expect(all == wanted)
            let page = try query.leaves(of: cluster.id, offset: 2, limit: 3).map(\.name)
            #expect(page == Array(wanted[2..<5]))
        }
    }

    @Test func `children partition a cluster, and each has it as parent`() throws {
        let file = try SampleFile()
        var query = try ClusterQuery(file.archive)
        for cluster in file.sample.clusters {
            var next = cluster.leaves.lowerBound
            for child in try query.children(of: cluster.id) {
                #expect(child.leaves.lowerBound == next)
                next = child.leaves.upperBound
                if case .cluster(let record) = child {
                    #expect(try query.parent(of: record.id)?.id == cluster.id)
                }
            }
            #expect(next == cluster.leaves.upperBound)
        }
    }

    @Test func `hull and box are those of all points`() throws {
        let file = try SampleFile(points: 2_500)
        var query = try ClusterQuery(file.archive)
        for cluster in file.sample.clusters.sorted(by: { $0.leafCount > $1.leafCount }).prefix(20) {
            let points = file.sample.points[
                Int(cluster.leaves.lowerBound)..<Int(cluster.leaves.upperBound)
            ]
            .map(\.place.worldPoint)
            #expect(try query.hull(of: cluster.id) == ConvexHull(of: points).corners)
            #expect(try query.box(of: cluster.id) == WorldBox(wrapping: points).lonLatBox)
        }
    }

    @Test func `the cluster at a place holds the nearest point`() throws {
        let file = try SampleFile()
        var query = try ClusterQuery(file.archive)
        for number in stride(from: 0, to: 1_500, by: 97) {
            let place = file.sample.points[number].place.worldPoint
            for zoom in 0...SampleArchive.maxZoom {
                let node = try #require(try query.node(at: place.lonLat, zoom: zoom))
                let wanted = file.sample.levels[zoom].first { $0.contains(number) }
                #expect(Int(node.leaves.lowerBound) == wanted?.lowerBound)
                #expect(node.leaves.count == wanted?.count)
            }
        }
    }

    @Test func `unknown clusters and archives without an index are refused`() throws {
        let file = try SampleFile()
        var query = try ClusterQuery(file.archive)
        #expect(throws: InspectionError.self) { try query.cluster(31) }
        try file.change("DROP TABLE covey_clusters")
        #expect(throws: InspectionError.self) { try Self.open(file.archive) }
    }

    private static func open(_ archive: Archive) throws { _ = try ClusterQuery(archive) }
}

extension ClusterQuery.Leaf {
    fileprivate var name: String? {
        if case .string(let name)? = feature.tags.first(where: { $0.key == "name" })?.value {
            return name
        }
        return nil
    }
}
