import Clustering
import Geometry
import LiveClusters
import Points
import Testing

struct ClusterMapTests {
    /// Points about two towns and across the antimeridian, the same ones each time.
    static let positions: [LonLat] = {
        var state: UInt64 = 7
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31)
        }
        return (0..<600).map { index in
            let center = [(10.0, 47.0), (179.9, -17.0), (-74.0, 40.7)][index % 3]
            let longitude = center.0 + (next() - 0.5) * 4
            return LonLat(
                longitude: longitude > 180 ? longitude - 360 : longitude,
                latitude: center.1 + (next() - 0.5) * 3)
        }
    }()

    static let map = Result {
        try ClusterMap(of: positions, options: .init(radius: 50, maxZoom: 12))
    }

    @Test(arguments: [0, 3, 5, 8, 12, 13, 20])
    func `at every zoom all points are in one marker each`(zoom: Int) throws {
        let map = try Self.map.get()
        let markers = map.markers(in: .world, zoom: zoom)
        let points = markers.flatMap(map.points)
        #expect(points.sorted() == Array(Self.positions.indices))
        #expect(markers.allSatisfy { $0.count == map.points(of: $0).count })
        if zoom > 12 { #expect(markers.allSatisfy { !$0.isCluster }) }
        if zoom == 0 { #expect(markers.count < 6) }
    }

    @Test(arguments: [
        LonLatBox(west: 8, south: 46, east: 11, north: 48),
        LonLatBox(west: 179, south: -20, east: -178.5, north: -15),
        LonLatBox(west: -179.9, south: -90, east: -100, north: 90),
        LonLatBox(west: 20, south: 0, east: 21, north: 1),
    ])
    func `a box has the markers of the world that stand in it`(box: LonLatBox) throws {
        let map = try Self.map.get()
        for zoom in [0, 4, 7, 10, 14] {
            let all = map.markers(in: .world, zoom: zoom).filter { box.contains($0.position) }
            #expect(Set(map.markers(in: box, zoom: zoom)) == Set(all))
        }
    }

    @Test(arguments: [180.0, -180, 190, -190, 539, 720.5])
    func `a point beyond the world's edge is drawn where it lies`(longitude: Double) throws {
        let position = LonLat(longitude: longitude, latitude: 10)
        let map = try ClusterMap(of: [position])
        let markers = map.markers(in: .world, zoom: 3)
        let drawn = try #require(markers.first).position.longitude
        #expect(markers.count == 1 && (-180...180).contains(drawn))
        #expect(abs((drawn - longitude).remainder(dividingBy: 360)) < 1e-9)
    }

    @Test func `both edges of the world are one meridian`() throws {
        let map = try ClusterMap(of: [LonLat(longitude: 180, latitude: 10)])
        for (west, east) in [(-180.0, -170.0), (170, 180), (170, -170), (170, 190), (-190, -180)] {
            let box = LonLatBox(west: west, south: 0, east: east, north: 20)
            #expect(map.markers(in: box, zoom: 3).count == 1)
        }
    }

    @Test(arguments: [-720.0, -360, 360, 1080])
    func `a map that was moved around the world draws the same`(turn: Double) throws {
        let map = try Self.map.get()
        for (west, east) in [(8.0, 11.0), (179, 181.5), (-180, 180), (-200, 200)] {
            let home = LonLatBox(west: west, south: -60, east: east, north: 60)
            let moved = LonLatBox(west: west + turn, south: -60, east: east + turn, north: 60)
            let markers = map.markers(in: home, zoom: 7)
            #expect(!markers.isEmpty && map.markers(in: moved, zoom: 7) == markers)
        }
        let nowhere = LonLatBox(west: .nan, south: .nan, east: .nan, north: .nan)
        #expect(map.markers(in: nowhere, zoom: 7).isEmpty)
    }

    @Test func `clustering ends when it is told not to go on`() throws {
        #expect(throws: ClusteringError.cancelled) {
            try ClusterMap(of: Self.positions, goesOn: { $0 > 12 })
        }
    }

    @Test func `children are what is drawn where a cluster has come apart`() throws {
        let map = try Self.map.get()
        for marker in map.markers(in: .world, zoom: 4) where marker.isCluster {
            let children = map.children(of: marker)
            #expect(children.count > 1)
            #expect(children.reduce(0) { $0 + $1.count } == marker.count)
            #expect(children.allSatisfy { map.parent(of: $0) == marker })
            let zoom = map.expansionZoom(of: marker)
            let drawn = Set(map.markers(in: .world, zoom: zoom))
            #expect(drawn.isSuperset(of: children) && !drawn.contains(marker))
            #expect(Set(map.markers(in: .world, zoom: zoom - 1)).contains(marker))
        }
    }

    @Test func `clusters carry aggregates of a table's attributes`() throws {
        var points = PointTable()
        let price = points.attributes.keys.intern("price")
        var batch = PointBatch()
        for (longitude, value) in [(10.0, 80), (10.001, 95), (50, 12)] {
            batch.records.append(price, integer: Int64(value))
            batch.append(WorldPoint(LonLat(longitude: longitude, latitude: 47)))
        }
        points.append(batch)
        var options = ClusterOptions(radius: 50, maxZoom: 10)
        options.aggregates = [try Aggregate(parsing: "total=sum:price")]
        let map = try ClusterMap(of: points, options: options)
        let markers = map.markers(in: .world, zoom: 5)
        let cluster = try #require(markers.filter(\.isCluster).first)
        #expect(map.value("total", of: cluster) == .integer(175))
        let point = try #require(markers.filter { !$0.isCluster }.first)
        #expect(map.value("price", of: point) == .integer(12))
        #expect(map.children(of: point).isEmpty && map.parent(of: point) == nil)
        #expect(abs(map.box(of: cluster).west - 10) < 1e-9)
    }
}
