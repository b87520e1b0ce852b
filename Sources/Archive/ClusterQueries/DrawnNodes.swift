import ArchiveContract
import Geometry
import JSON
import TileArchive

/// Nodes of one zoom as GeoJSON features: clusters with the attributes of their tiles, points with their own.
///
///     var drawn = DrawnNodes(nodes, at: 7, zooms: zooms, query.description)
///     for tile in drawn.tiles { try drawn.read(contents(of: tile), of: tile) }
///     let features = try drawn.features(&query)
public struct DrawnNodes {
    private let nodes: [ClusterNode]
    private let description: ClusterDescription
    private var idsByTile: [TileID: Set<UInt64>] = [:]
    private var found = TileFeatures.Found(mostBytes: mostBytes)

    /// The most bytes of keys and texts in an answer. A list ends earlier if it would have more.
    public static let mostBytes = ClusterQuery.mostBytesOfLeaf

    /// Nodes that are drawn at a zoom, in an archive that has tiles at `zooms`.
    public init(
        _ nodes: [ClusterNode], at zoom: Int, zooms: ClosedRange<Int>,
        _ description: ClusterDescription
    ) {
        self.nodes = nodes
        self.description = description
        guard zoom >= zooms.lowerBound else { return }
        // What stays together beyond the deepest zoom is drawn there.
        let zoom = min(zoom, zooms.upperBound)
        for case .cluster(let record) in nodes {
            let tile = TileID(holding: record.position.worldPoint.wrapped, zoom: UInt8(zoom))
            idsByTile[tile, default: []].insert(UInt64(description.id(of: record)))
        }
    }

    /// The tiles that have the attributes of the clusters.
    public var tiles: [TileID] { idsByTile.keys.sorted() }

    /// Reads the attributes of clusters from a tile.
    public mutating func read(
        _ features: TileFeatures, of tile: TileID
    ) throws(ClusterQueryError) {
        do {
            try features.find(idsByTile[tile] ?? [], into: &found)
        } catch {
            throw .badTile(tile, error)
        }
        guard !found.isCut else { throw .tooMuchToTell(tile) }
    }

    /// The nodes as features. If the answer would be too long, points are left out at the end.
    public func features(_ query: inout ClusterQuery) throws(ClusterQueryError) -> [JSONValue] {
        var features: [JSONValue] = []
        var bytesLeft = Self.mostBytes
        var next = 0
        while next < nodes.count {
            switch nodes[next] {
            case .cluster(let record):
                features.append(feature(of: record))
                next += 1
            case .leaf:
                // A block is read once for all points that follow each other.
                let leaves = try query.leaves(
                    nodes[next...].leadingLeaves, mostBytes: max(bytesLeft, 0))
                for leaf in leaves {
                    bytesLeft -= leaf.bytes
                    guard bytesLeft >= 0 || features.isEmpty else { return features }
                    features.append(GeoJSON.feature(leaf))
                }
                next += leaves.count
            }
        }
        return features
    }

    /// A cluster with the attributes of its tile, or with those of the index if the tile left it out.
    private func feature(of record: ClusterRecord) -> JSONValue {
        let id = description.id(of: record)
        let drawn = found.features[UInt64(id)]
        return GeoJSON.feature(
            id: .integer(id), geometry: GeoJSON.point(record.position.worldPoint.wrapped),
            properties: drawn?.properties ?? description.properties(of: record), layer: drawn?.layer
        )
    }
}
