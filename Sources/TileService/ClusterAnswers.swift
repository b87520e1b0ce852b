import Geometry
import JSON
import TileArchive

/// What a live clustering engine would answer, from an archive's index, tiles and leaf blocks.
struct ClusterAnswers {
    let archive: ServedArchive
    var leaves: LeafBlockReader

    init(_ archive: ServedArchive) {
        self.archive = archive
        leaves = LeafBlockReader(archive)
    }

    /// A part of a list.
    struct Page {
        var offset: Int64
        var limit: Int64

        func cut(_ range: Range<Int64>) -> Range<Int64> {
            let start = range.lowerBound + min(offset, Int64(range.count))
            return start..<min(range.upperBound, start + limit)
        }
    }

    /// The node drawn at a zoom, as the feature that is drawn.
    mutating func feature(
        of node: ClusterNode, at zoom: Int, in index: inout ClusterIndex
    ) throws(ServiceError) -> JSONValue {
        try features(of: [node], at: zoom, in: &index)[0]
    }

    mutating func children(
        of id: Int64, _ page: Page, in index: inout ClusterIndex
    ) throws(ServiceError) -> JSONValue {
        let record = try cluster(id, in: &index)
        let children = try archive.reading { () throws(ArchiveError) in
            try index.children(of: id)
        }
        let part = page.cut(0..<Int64(children.count))
        let shown = Array(children[Int(part.lowerBound)..<Int(part.upperBound)])
        return GeoJSON.collection(
            try features(of: shown, at: record.expansionZoom, in: &index),
            total: Int64(children.count))
    }

    mutating func leaves(
        of id: Int64, _ page: Page, in index: inout ClusterIndex
    ) throws(ServiceError) -> JSONValue {
        let record = try cluster(id, in: &index)
        let features = try leaves.features(of: page.cut(record.leaves), in: &index)
        return GeoJSON.collection(features.map(Self.geoJSON), total: record.leafCount)
    }

    mutating func parent(
        of id: Int64, in index: inout ClusterIndex
    ) throws(ServiceError) -> JSONValue {
        let parent = try archive.reading { () throws(ArchiveError) in try index.parent(of: id) }
        guard let parent else { return .null }
        return try feature(of: .cluster(parent), at: Int(parent.key.zoom), in: &index)
    }

    func cluster(
        _ id: Int64, in index: inout ClusterIndex
    ) throws(ServiceError) -> ClusterRecord {
        try archive.reading { () throws(ArchiveError) in try index.cluster(id) }
    }

    // MARK: Features

    /// Nodes drawn at one zoom: clusters as the tiles have them, points from the leaf blocks.
    private mutating func features(
        of nodes: [ClusterNode], at zoom: Int, in index: inout ClusterIndex
    ) throws(ServiceError) -> [JSONValue] {
        let drawn = try drawnClusters(nodes, at: zoom)
        var features: [JSONValue] = []
        for node in nodes {
            switch node {
            case .cluster(let record):
                let place = record.place.worldPoint.wrapped
                let feature = drawn[UInt64(record.id)] ?? Self.bareFeature(of: record)
                features.append(feature.geoJSON(at: place))
            case .leaf(let number):
                let found = try leaves.features(of: number..<(number + 1), in: &index)
                features += found.map(Self.geoJSON)
            }
        }
        return features
    }

    /// The clusters' features in the tiles of that zoom, each tile read once.
    private func drawnClusters(
        _ nodes: [ClusterNode], at zoom: Int
    ) throws(ServiceError) -> [UInt64: TileFeatures.Feature] {
        guard archive.zooms.contains(zoom) else { return [:] }
        var idsByTile: [TileID: Set<UInt64>] = [:]
        for case .cluster(let record) in nodes {
            let tile = TileID(holding: record.place.worldPoint.wrapped, zoom: UInt8(zoom))
            idsByTile[tile, default: []].insert(UInt64(record.id))
        }
        var found: [UInt64: TileFeatures.Feature] = [:]
        for (tile, ids) in idsByTile {
            guard let features = try archive.features(of: tile) else { continue }
            do {
                found.merge(try features.features(withIDs: ids)) { first, _ in first }
            } catch {
                throw .damaged("tile \(tile): \(error)")
            }
        }
        return found
    }

    /// A cluster that its tile left out, with what the index knows.
    private static func bareFeature(of record: ClusterRecord) -> TileFeatures.Feature {
        var properties = JSONObject()
        properties["cluster"] = true
        properties["cluster_id"] = .integer(record.id)
        properties["point_count"] = .integer(record.leafCount)
        properties["expansion_zoom"] = .integer(Int64(record.expansionZoom))
        return TileFeatures.Feature(
            id: UInt64(record.id), layer: nil, x: 0, y: 0, properties: properties)
    }

    static func geoJSON(_ leaf: TileFeatures.Feature) -> JSONValue {
        leaf.geoJSON(at: WorldPoint(x: leaf.x, y: leaf.y).wrapped)
    }
}
