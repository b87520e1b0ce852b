import Clustering
import Geometry
import LiveClusters
import Testing

/// Every answer of a map in memory, held against all points one by one.
struct RandomMapTests {
    private var map: ClusterMap { get throws { try ClusterMapTests.map.get() } }
    private static let positions = ClusterMapTests.positions

    /// Numbers that are the same each time.
    private struct Numbers {
        private var state: UInt64 = 99

        mutating func unit() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 33) / Double(1 << 31)
        }
    }

    @Test func `random boxes have the markers that stand in them, whichever way they lie`() throws {
        let map = try map
        var numbers = Numbers()
        var found = 0
        for index in 0..<80 {
            // Around a town, or anywhere.
            let near = Self.positions[index * 7]
            let size = index % 2 == 0 ? 3.0 : 200
            var west = near.longitude - numbers.unit() * size
            var east = near.longitude + numbers.unit() * size
            if west < -180 { west += 360 }
            if east > 180 { east -= 360 }
            let box = LonLatBox(
                west: west, south: max(near.latitude - numbers.unit() * size, -85), east: east,
                north: min(near.latitude + numbers.unit() * size, 85))
            let zoom = Int(numbers.unit() * 14)
            let all = map.markers(in: .world, zoom: zoom).filter { box.contains($0.position) }
            let markers = map.markers(in: box, zoom: zoom)
            #expect(markers.count == all.count && Set(markers) == Set(all))
            found += markers.count
        }
        #expect(found > 500)
    }

    @Test func `boxes, counts and positions are those of the points`() throws {
        let map = try map
        #expect(map.pointCount == 600)
        var clusters: Set<Marker> = []
        for zoom in 0...13 {
            for marker in map.markers(in: .world, zoom: zoom) {
                let places = map.points(of: marker).map { WorldPoint(Self.positions[$0]).wrapped }
                let expected = WorldBox(wrapping: places).lonLatBox
                let box = map.box(of: marker)
                for (a, b) in [
                    (box.west, expected.west), (box.south, expected.south),
                    (box.east, expected.east), (box.north, expected.north),
                ] { #expect(abs(a - b) < 1e-9) }
                #expect(marker.count == places.count && marker.isCluster == (places.count > 1))
                if marker.isCluster { clusters.insert(marker) }
                // The mean of places laid out around the first.
                let first = places[0].x
                let xs = places.map { $0.x - ($0.x - first).rounded() }
                let mean = WorldPoint(
                    x: xs.reduce(0, +) / Double(xs.count),
                    y: places.map(\.y).reduce(0, +) / Double(xs.count)
                ).wrapped
                let place = WorldPoint(marker.position).wrapped
                let across = place.x - mean.x - (place.x - mean.x).rounded()
                #expect(abs(across) < 1e-9 && abs(place.y - mean.y) < 1e-9)
            }
        }
        #expect(clusters.count == map.clusterCount)
    }

    @Test func `parents and expansion zooms are where a marker begins and ends`() throws {
        let map = try map
        let byZoom = (0...14).map { Set(map.markers(in: .world, zoom: $0)) }
        for zoom in 0...14 {
            for marker in byZoom[zoom] {
                let last = byZoom.lastIndex { $0.contains(marker) } ?? -1
                let first = byZoom.firstIndex { $0.contains(marker) } ?? -1
                let expansion = map.expansionZoom(of: marker)
                #expect(expansion == (marker.isCluster ? last + 1 : first))
                let parent = map.parent(of: marker)
                guard first > 0 else {
                    #expect(parent == nil)
                    continue
                }
                let own = Set(map.points(of: marker))
                let above = byZoom[first - 1].first { own.isSubset(of: map.points(of: $0)) }
                #expect(parent == above && above != nil)
            }
        }
    }
}
