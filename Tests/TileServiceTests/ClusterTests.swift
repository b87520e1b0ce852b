import Foundation
import HTTP
import JSON
import TestSupport
import TileService
import Testing

struct ClusterTests {
    static let sample = Result { () throws -> (SampleFolder, [SamplePoint]) in
        let folder = try SampleFolder()
        return (folder, try folder.build("places.mbtiles"))
    }

    let service: TileService
    let points: [Int: SamplePoint]

    init() throws {
        let (folder, points) = try Self.sample.get()
        service = folder.service()
        self.points = Dictionary(uniqueKeysWithValues: points.map { ($0.id, $0) })
    }

    /// What is drawn at zoom 0 for some of the points, each cluster once.
    func someClusters() throws -> [JSONNode] {
        var found: [Int64: JSONNode] = [:]
        for id in stride(from: 1, to: points.count, by: 37) {
            let point = try #require(points[id])
            let node = try service.json(
                "/places/clusters/containing",
                [("lon", "\(point.longitude)"), ("lat", "\(point.latitude)"), ("zoom", "1")])
            if let cluster = try node.required("properties").member("cluster_id") {
                found[try cluster.integer] = node
            }
        }
        return found.values.map { $0 }
    }

    func leaves(of id: Int64, limit: Int = 1_000) throws -> [JSONNode] {
        var all: [JSONNode] = []
        while true {
            let page = try service.json(
                "/places/clusters/\(id)/leaves",
                [("limit", "\(limit)"), ("offset", "\(all.count)")])
            all += try page.required("features").elements
            let total = try page.required("numberMatched").integer(in: 1...10_000)
            if all.count == total { return all }
        }
    }

    @Test func `leaves are the points of the cluster, each once, with what they carry`() throws {
        let clusters = try someClusters()
        #expect(clusters.count > 5)
        for cluster in clusters {
            let properties = try cluster.required("properties")
            let id = try properties.required("cluster_id").integer
            let leaves = try leaves(of: id)
            #expect(leaves.count == Int(try properties.required("point_count").integer))
            let ids = try leaves.map { Int(try $0.required("id").integer) }
            #expect(Set(ids).count == ids.count)
            var total = 0
            for (id, leaf) in zip(ids, leaves) {
                let point = try #require(points[id])
                let position = try leaf.required("geometry").required("coordinates").elements
                #expect(abs(try position[0].number - point.longitude) < 1e-6)
                #expect(abs(try position[1].number - point.latitude) < 1e-6)
                let carried = try leaf.required("properties")
                #expect(try carried.required("value").integer == Int64(point.value))
                #expect(try carried.required("kind").string == point.kind)
                total += point.value
            }
            #expect(try properties.required("total").number == Double(total))
        }
    }

    @Test func `pages of any size give the same list`() throws {
        let cluster = try #require(try someClusters().first).required("properties")
        let id = try cluster.required("cluster_id").integer
        let whole = try leaves(of: id).map(\.value)
        #expect(try leaves(of: id, limit: 7).map(\.value) == whole)
        let past = try service.json("/places/clusters/\(id)/leaves", [("offset", "99999999")])
        #expect(try past.required("features").elements.isEmpty)
    }

    @Test func `children share out the leaves, carry their aggregates and name their parent`()
        throws
    {
        for cluster in try someClusters() {
            let properties = try cluster.required("properties")
            let id = try properties.required("cluster_id").integer
            let list = try service.json("/places/clusters/\(id)/children")
            var count: Int64 = 0
            var total = 0.0
            for child in try list.required("features").elements {
                let carried = try child.required("properties")
                guard let inner = try carried.member("cluster_id") else {
                    count += 1
                    total += try carried.required("value").number
                    continue
                }
                count += try carried.required("point_count").integer
                total += try carried.required("total").number
                let parent = try service.json("/places/clusters/\(inner.integer)/parent")
                #expect(try parent.required("properties").value == properties.value)
            }
            #expect(count == (try properties.required("point_count").integer))
            #expect(total == (try properties.required("total").number))
            let zoom = try service.json("/places/clusters/\(id)/expansion-zoom")
            let expansion = try zoom.required("expansion_zoom").value
            #expect(expansion == (try properties.required("expansion_zoom").value))
        }
    }

    @Test func `the hull holds every leaf, and its corners are leaves`() throws {
        for cluster in try someClusters() {
            let id = try cluster.required("properties").required("cluster_id").integer
            let hull = try service.json("/places/clusters/\(id)/hull").required("geometry")
            let leaves = try leaves(of: id).map { leaf in
                try leaf.required("geometry").required("coordinates").elements.map { try $0.number }
            }
            guard try hull.required("type").string == "Polygon" else { continue }
            let ring = try hull.required("coordinates").elements[0].elements.map { corner in
                try corner.elements.map { try $0.number }
            }
            #expect(ring.first == ring.last)
            for corner in ring {
                #expect(leaves.contains { Self.isSame($0, corner) })
            }
            let isAround = leaves.allSatisfy { Self.isInside($0, ring) }
            #expect(isAround, "\(id): \(ring)")
        }
    }

    @Test func `the box holds every leaf and touches some on each side`() throws {
        for cluster in try someClusters() {
            let id = try cluster.required("properties").required("cluster_id").integer
            let sides = try service.json("/places/clusters/\(id)/bbox").required("bbox").elements
                .map { try $0.number }
            let positions = try leaves(of: id).map { leaf in
                try leaf.required("geometry").required("coordinates").elements.map { try $0.number }
            }
            let width = sides[2] - sides[0] + (sides[2] < sides[0] ? 360 : 0)
            let easts = positions.map { position in
                let east = (position[0] - sides[0]).truncatingRemainder(dividingBy: 360)
                return east < -1e-6 ? east + 360 : east
            }
            #expect(abs(easts.min() ?? 9) < 1e-6 && abs((easts.max() ?? 9) - width) < 1e-6)
            #expect(abs((positions.map { $0[1] }.min() ?? 99) - sides[1]) < 1e-6)
            #expect(abs((positions.map { $0[1] }.max() ?? 99) - sides[3]) < 1e-6)
        }
    }

    static func isSame(_ a: [Double], _ b: [Double]) -> Bool {
        let turn = (b[0] - a[0]).remainder(dividingBy: 360)
        return abs(turn) < 1e-6 && abs(a[1] - b[1]) < 1e-6
    }

    /// Left of every edge of a ring that runs counterclockwise, in the map's projection.
    static func isInside(_ position: [Double], _ ring: [[Double]]) -> Bool {
        func y(_ latitude: Double) -> Double {
            let sine = sin(latitude * .pi / 180)
            return log((1 + sine) / (1 - sine)) * 90 / .pi
        }
        let middle = ring[0][0]
        let x = position[0] + ((middle - position[0]) / 360).rounded() * 360
        return zip(ring, ring.dropFirst()).allSatisfy { a, b in
            (b[0] - a[0]) * (y(position[1]) - y(a[1])) - (y(b[1]) - y(a[1])) * (x - a[0]) > -1e-4
        }
    }

    @Test func `a box of leaves is what lies inside it, page by page`() throws {
        for (west, south, east, north) in [(-30.0, -40.0, 60.0, 50.0), (150, -60, -120, 70)] {
            var ids: [Int64] = []
            var from: Int64? = 0
            while let start = from {
                let page = try service.json(
                    "/places/leaves",
                    [
                        ("bbox", "\(west),\(south),\(east),\(north)"), ("limit", "100"),
                        ("from", "\(start)"),
                    ])
                ids += try page.required("features").elements.map { try $0.required("id").integer }
                from = try page.member("next")?.integer
            }
            let inside = points.values.filter { point in
                let isBetween =
                    west <= east
                    ? (west...east).contains(point.longitude)
                    : point.longitude >= west || point.longitude <= east
                return isBetween && (south...north).contains(point.latitude)
            }
            #expect(ids.sorted() == inside.map { Int64($0.id) }.sorted())
        }
    }

    @Test func `a point is found in its cluster at every zoom`() throws {
        for id in stride(from: 5, to: points.count, by: 211) {
            let point = try #require(points[id])
            var last = Int64.max
            for zoom in 0...8 {
                let node = try service.json(
                    "/places/clusters/containing",
                    [
                        ("lon", "\(point.longitude)"), ("lat", "\(point.latitude)"),
                        ("zoom", "\(zoom)"),
                    ])
                let properties = try node.required("properties")
                let count = try properties.member("point_count")?.integer ?? 1
                #expect(count <= last)
                last = count
                if let cluster = try properties.member("cluster_id") {
                    let ids = try leaves(of: cluster.integer).map { try $0.required("id").integer }
                    #expect(ids.contains(Int64(id)))
                } else {
                    #expect(try node.required("id").integer == Int64(id))
                }
            }
        }
        let nowhere = service.get(
            "/places/clusters/containing", query: [("lon", "0"), ("lat", "90"), ("zoom", "20")])
        #expect(nowhere.status == .notFound)
    }

    @Test func `the style's steps rise, and categories have colours`() throws {
        let style = try service.json("/places/style.json")
        #expect(try style.required("version").integer == 8)
        let layers = try style.required("layers").elements
        let ids = try layers.map { try $0.required("id").string }
        #expect(Set(ids).count == ids.count)
        let circles = try #require(
            try layers.first { try $0.required("id").string == "places/points-clusters" })
        let radius = try circles.required("paint").required("circle-radius").value.text()
        #expect(radius.hasPrefix(#"["step",["zoom"],["step",["get","point_count"],"#))
        let color = try circles.required("paint").required("circle-color").value.text()
        #expect(color.hasPrefix(#"["match",["get","usual"],"#))
        #expect(color.contains("café"))
    }
}
