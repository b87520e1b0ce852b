import ArchiveContract
import ClusterQueries
import JSON

/// Answers in the form of the server: one JSON document for each question.
extension ClusterAnswer {
    mutating func json(
        _ question: ClustersVerb.Question, of id: Int64
    ) throws -> JSONValue {
        let cluster = try query.cluster(id)
        switch question {
        case .cluster: return try feature(of: .cluster(cluster), at: Int(cluster.key.zoom))
        case .parent:
            guard let parent = try query.parent(of: id) else { return .null }
            return try feature(of: .cluster(parent), at: Int(parent.key.zoom))
        case .children:
            let children = try query.children(of: id)
            return GeoJSON.collection(
                try features(of: children.nodes, at: cluster.expansionZoom), total: children.total)
        case .leaves:
            return GeoJSON.collection(
                try askedLeaves(of: id).map(GeoJSON.feature), total: cluster.leafCount)
        case .expansionZoom:
            return [ClusterAttribute.expansionZoom.name: .integer(Int64(cluster.expansionZoom))]
        case .hull:
            return GeoJSON.feature(
                id: .integer(id), geometry: GeoJSON.hull(try query.hull(of: id)),
                properties: JSONObject(), layer: nil)
        case .bbox:
            let box = try query.box(of: id)
            let sides = [box.west, box.south, box.east, box.north]
            return ["bbox": .array(sides.map(GeoJSON.degrees))]
        case .tree: return try tree(.cluster(cluster), depth: 0)
        }
    }

    /// The feature of a node as drawn at a zoom.
    mutating func feature(of node: ClusterNode, at zoom: Int) throws -> JSONValue {
        try features(of: [node], at: zoom)[0]
    }

    /// A cluster with its children, down to the requested depth.
    private mutating func tree(_ node: ClusterNode, depth: Int) throws -> JSONValue {
        switch node {
        case .leaf(let number): return GeoJSON.feature(try query.leaves(number..<(number + 1))[0])
        case .cluster(let record):
            let shown = try feature(of: node, at: Int(record.key.zoom))
            guard depth < arguments[ClustersVerb.depth], var object = shown.asObject else {
                return shown
            }
            let children = try query.children(of: query.description.id(of: record)).nodes
            object["children"] = .array(try children.map { try tree($0, depth: depth + 1) })
            return .object(object)
        }
    }
}
