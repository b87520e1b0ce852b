// Clusters in memory: no file, no server, no database.
import Clustering
import Geometry
import LiveClusters
import Points

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

var table = PointTable()
let price = table.attributes.keys.intern("price")
var batch = PointBatch()
for (index, inn) in inns.enumerated() {
    batch.records.append(price, number: Double(100 + 10 * index))
    batch.append(WorldPoint(inn.position))
}
table.append(batch)
var options = ClusterOptions(radius: 50)
options.aggregates = [try Aggregate(parsing: "mean_price=mean:price")]
let priced = try ClusterMap(of: table, options: options, goesOn: { _ in !Task.isCancelled })
for marker in priced.markers(in: .world, zoom: 6) where marker.isCluster {
    print("mean price \(priced.value("mean_price", of: marker)?.asNumber ?? 0)")
}
