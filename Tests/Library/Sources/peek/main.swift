// An archive read, a tile decoded, and one written: peek ARCHIVE.
import ClusterQueries
import Geometry
import TileArchive
import VectorTile

let archive = try Archive(path: CommandLine.arguments[1])
print(archive.metadata.name)

var tiles = try archive.openTiles()
if let bytes = try tiles.inflatedTile(at: TileID(z: 0, x: 0, y: 0), limit: 1 << 24) {
    var reader = try TileReader(bytes.span)
    while let layer = try reader.nextLayer() {
        print("\(layer.name): \(layer.featureCount > 0 ? "features" : "empty")")
    }
}

var clusters = try ClusterQuery(archive)
let position = LonLat(longitude: 10, latitude: 47)
if case .cluster(let cluster) = try clusters.node(at: position, zoom: 0) {
    let id = clusters.description.id(of: cluster)
    print("\(try clusters.leaves(of: id, limit: 10).count) points in one marker")
}

var builder = TileBuilder()
let name = builder.key("name")
builder.beginLayer("inns")
builder.beginPoint(id: 7, x: 25, y: 17)
builder.addTag(name, .string("Fox"))
builder.endFeature()
builder.endLayer()
print("\(builder.bytes.count) bytes written")
