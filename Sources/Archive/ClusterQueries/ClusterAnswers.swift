import ArchiveContract
import Geometry
import JSON

/// A question about one cluster, as it is spelled in an address.
package enum ClusterQuestion: String, CaseIterable {
    case itself = ""
    case children, leaves, parent, hull, bbox
    case expansionZoom = "expansion-zoom"
}

/// Answers to questions about an archive's clusters, as GeoJSON: clusters with the attributes of their tiles,
/// points with their own.
package struct ClusterAnswers {
    /// The part of a list that is asked for.
    package struct Page {
        var offset: Int64
        var limit: Int64
        var mostBytes: Int

        package init(offset: Int64 = 0, limit: Int64 = .max, mostBytes: Int = .max) {
            self.offset = offset
            self.limit = limit
            self.mostBytes = mostBytes
        }
    }

    /// The zooms of the archive's tiles.
    let zooms: ClosedRange<Int>
    let readTiles: (inout DrawnNodes) throws -> Void

    /// - Parameter readTiles: reads the tiles that nodes ask for.
    package init(
        zooms: ClosedRange<Int>, readTiles: @escaping (inout DrawnNodes) throws -> Void
    ) {
        self.zooms = zooms
        self.readTiles = readTiles
    }

    package func answer(
        _ question: ClusterQuestion, about id: Int64, _ page: Page, _ query: inout ClusterQuery
    ) throws -> JSONValue {
        switch question {
        case .itself: return try feature(of: query.cluster(id), &query)
        case .children:
            let zoom = try query.cluster(id).expansionZoom
            let children = try query.children(
                of: id, offset: page.offset, limit: Int(page.limit))
            return GeoJSON.collection(
                try features(of: children.nodes, at: zoom, &query), total: children.total)
        case .leaves:
            let total = try query.cluster(id).leafCount
            let leaves = try query.leaves(
                of: id, offset: page.offset, limit: page.limit, mostBytes: page.mostBytes)
            return GeoJSON.collection(leaves.map(GeoJSON.feature), total: total)
        case .parent:
            guard let parent = try query.parent(of: id) else { return .null }
            return try feature(of: parent, &query)
        case .expansionZoom:
            let zoom = try query.cluster(id).expansionZoom
            return [ClusterAttribute.expansionZoom.name: .integer(Int64(zoom))]
        case .hull:
            return GeoJSON.feature(
                id: .integer(id), geometry: GeoJSON.hull(try query.hull(of: id)),
                properties: JSONObject(), layer: nil)
        case .bbox:
            let box = try query.box(of: id)
            let sides = [box.west, box.south, box.east, box.north]
            return ["bbox": .array(sides.map(GeoJSON.degrees))]
        }
    }

    /// The feature of a cluster as drawn at the deepest zoom that shows it.
    package func feature(
        of cluster: ClusterRecord, _ query: inout ClusterQuery
    ) throws -> JSONValue {
        try features(of: [.cluster(cluster)], at: Int(cluster.key.zoom), &query)[0]
    }

    /// The features of nodes as drawn at one zoom.
    package func features(
        of nodes: [ClusterNode], at zoom: Int, _ query: inout ClusterQuery
    ) throws -> [JSONValue] {
        var drawn = DrawnNodes(nodes, at: zoom, zooms: zooms, query.description)
        try readTiles(&drawn)
        return try drawn.features(&query)
    }
}
