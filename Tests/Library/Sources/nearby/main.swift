// Clusters in memory: no file, no server, no database.
import Geometry
import LiveClusters

let inns: [(name: String, position: LonLat)] = [
    ("Fox", LonLat(longitude: 10.10, latitude: 47.20)),
    ("Bear", LonLat(longitude: 10.20, latitude: 47.20)),
    ("Owl", LonLat(longitude: 10.15, latitude: 47.25)),
    ("Crane", LonLat(longitude: -170, latitude: 60)),
]
let map = try ClusterMap(of: inns.map(\.position), options: .init(radius: 50, maxZoom: 14))
for marker in map.markers(in: .world, zoom: 6) {
    let names = map.points(of: marker).map { inns[$0].name }.sorted().joined(separator: ", ")
    print("\(marker.count): \(names)")
    for child in map.children(of: marker) {
        print("  from zoom \(map.expansionZoom(of: marker)): \(child.count)")
    }
}
