import ArchiveContract
import ClusterQueries
import Geometry
import JSON
import TileArchive

/// Answers to questions about an archive's clusters, as GeoJSON: clusters with the attributes of
/// their tiles, points with their own.
struct ClusterAnswers {
    let archive: ServedArchive

    /// A part of a list.
    struct Page {
        var offset: Int64
        var limit: Int64
    }

    /// The feature of a node as drawn at a zoom.
    func feature(
        of node: ClusterNode, at zoom: Int, _ query: inout ClusterQuery
    ) throws(ServiceError) -> JSONValue {
        try features(of: [node], at: zoom, &query)[0]
    }

    func children(
        of id: Int64, _ page: Page, _ query: inout ClusterQuery
    ) throws(ServiceError) -> JSONValue {
        let record = try cluster(id, &query)
        let children = try archive.asking { () throws(ClusterQueryError) in
            try query.children(of: id, offset: page.offset, limit: Int(page.limit))
        }
        return GeoJSON.collection(
            try features(of: children.nodes, at: record.expansionZoom, &query),
            total: children.total)
    }

    func leaves(
        of id: Int64, _ page: Page, _ query: inout ClusterQuery
    ) throws(ServiceError) -> JSONValue {
        let total = try cluster(id, &query).leafCount
        let leaves = try archive.asking { () throws(ClusterQueryError) in
            try query.leaves(
                of: id, offset: page.offset, limit: page.limit, mostBytes: DrawnNodes.mostBytes)
        }
        return GeoJSON.collection(leaves.map(GeoJSON.feature), total: total)
    }

    func parent(of id: Int64, _ query: inout ClusterQuery) throws(ServiceError) -> JSONValue {
        let parent = try archive.asking { () throws(ClusterQueryError) in
            try query.parent(of: id)
        }
        guard let parent else { return .null }
        return try feature(of: .cluster(parent), at: Int(parent.key.zoom), &query)
    }

    func hull(of id: Int64, _ query: inout ClusterQuery) throws(ServiceError) -> JSONValue {
        let corners = try archive.asking { () throws(ClusterQueryError) in try query.hull(of: id) }
        return GeoJSON.feature(
            id: .integer(id), geometry: GeoJSON.hull(corners), properties: JSONObject(), layer: nil)
    }

    func box(of id: Int64, _ query: inout ClusterQuery) throws(ServiceError) -> JSONValue {
        let box = try archive.asking { () throws(ClusterQueryError) in try query.box(of: id) }
        let sides = [box.west, box.south, box.east, box.north]
        return ["bbox": .array(sides.map(GeoJSON.degrees))]
    }

    func cluster(
        _ id: Int64, _ query: inout ClusterQuery
    ) throws(ServiceError) -> ClusterRecord {
        try archive.asking { () throws(ClusterQueryError) in try query.cluster(id) }
    }

    /// The node drawn at a zoom for the point nearest to a position.
    func node(
        at position: LonLat, zoom: Int, _ query: inout ClusterQuery
    ) throws(ServiceError) -> JSONValue {
        // The width of a marker at that zoom.
        let reach = 50 / (512 * Double(1 << zoom))
        let blocks = try archive.blockBoxes(&query)
        let node = try archive.asking { () throws(ClusterQueryError) -> ClusterNode? in
            let point = WorldPoint(position).wrapped
            guard let leaf = try query.leaf(nearest: point, within: reach, among: blocks) else {
                return nil
            }
            return try query.node(holding: leaf, at: zoom)
        }
        guard let node else { throw .noClusterThere }
        return try feature(of: node, at: zoom, &query)
    }

    func leaves(
        in box: LonLatBox, from start: Int64, limit: Int, _ query: inout ClusterQuery
    ) throws(ServiceError) -> JSONValue {
        let blocks = try archive.blockBoxes(&query)
        let page = try archive.asking { () throws(ClusterQueryError) in
            try query.leaves(in: box, from: start, limit: limit, among: blocks)
        }
        return GeoJSON.collection(page.leaves.map(GeoJSON.feature), next: page.next)
    }

    // MARK: Features

    /// The features of nodes as drawn at one zoom.
    private func features(
        of nodes: [ClusterNode], at zoom: Int, _ query: inout ClusterQuery
    ) throws(ServiceError) -> [JSONValue] {
        var drawn = DrawnNodes(nodes, at: zoom, zooms: archive.zooms, query.description)
        for tile in drawn.tiles {
            guard let features = try archive.features(of: tile) else { continue }
            try archive.asking { () throws(ClusterQueryError) in
                try drawn.read(features, of: tile)
            }
        }
        return try archive.asking { () throws(ClusterQueryError) in try drawn.features(&query) }
    }
}
