import Clustering
import Geometry
import Points

/// Clusters of points in memory, with the queries of a live engine.
///
///     let map = try ClusterMap(of: shops.map(\.position))
///     for marker in map.markers(in: box, zoom: 11) {
///         draw(marker.count, at: marker.position)
///     }
///     let shopsInIt = map.points(of: marker).map { shops[$0] }
///
/// Everything is computed on creation, for all zooms. Queries change nothing, so any thread may make them.
public struct ClusterMap: Sendable {
    let tree: ClusterTree
    let points: PointTable
    /// The box around the points of each cluster.
    let boxes: [WorldBox]

    /// Clusters positions on some threads; points are known by their indices in the list.
    /// - Parameters:
    ///   - positions: finite numbers; longitudes beyond 180 go on around the world.
    ///   - options: how to cluster.
    ///   - threads: how many threads may work on it. The result does not depend on them.
    ///   - goesOn: called before each zoom, from the deepest up. If it returns false, `cancelled` is thrown: a task
    ///     passes `{ _ in !Task.isCancelled }`.
    public init(
        of positions: some Sequence<LonLat>, options: ClusterOptions = ClusterOptions(),
        threads: Int = 2, goesOn: (_ zoom: Int) -> Bool = { _ in true }
    ) throws(ClusteringError) {
        var batch = PointBatch()
        for position in positions { batch.append(WorldPoint(position)) }
        var points = PointTable()
        points.append(batch)
        try self.init(of: points, options: options, threads: threads, goesOn: goesOn)
    }

    /// Clusters the rows of a table, whose attributes aggregates may sum up.
    /// - Parameters:
    ///   - points: the table; points are known by their rows.
    ///   - options: how to cluster.
    ///   - threads: how many threads may work on it.
    ///   - goesOn: called before each zoom; if it returns false, `cancelled` is thrown.
    public init(
        of points: PointTable, options: ClusterOptions = ClusterOptions(), threads: Int = 2,
        goesOn: (_ zoom: Int) -> Bool = { _ in true }
    ) throws(ClusteringError) {
        tree = try ClusterTree(of: points, options: options, threads: threads, goesOn: goesOn)
        self.points = points
        boxes = tree.boxes(in: points, wraps: options.wrap)
    }

    /// How many points there are.
    public var pointCount: Int { tree.leafCount }

    /// How many clusters there are at all zooms together.
    public var clusterCount: Int { tree.clusterCount }

    /// The markers of a zoom inside a box, which may cross the antimeridian, or be that of a map that was moved
    /// around the world.
    /// - Complexity: O(m log n) for m clusters and points in or around the box.
    public func markers(in box: LonLatBox, zoom: Int) -> [Marker] {
        let box = box.wrapped
        let search = BoxSearch(box)
        var found: [Marker] = []
        walk(from: 0, to: tree.leafCount, cluster: 0) { node in
            if case .cluster(let cluster) = node {
                guard search.touches(boxes[cluster]) else { return .passOver }
                // A cluster that has not come apart yet is drawn whole.
                if Int(tree.zooms[cluster]) < zoom { return .lookInside }
            }
            let marker = marker(node)
            let (longitude, latitude) = (marker.position.longitude, marker.position.latitude)
            if box.contains(longitude: longitude, latitude: latitude) { found.append(marker) }
            return .passOver
        }
        return found
    }

    /// The nodes that a cluster comes apart into at its expansion zoom; none for a point.
    public func children(of marker: Marker) -> [Marker] {
        guard case .cluster(let cluster) = marker.node else { return [] }
        let leaves = tree.leafRange(of: cluster)
        var found: [Marker] = []
        walk(from: leaves.lowerBound, to: leaves.upperBound, cluster: cluster + 1) { node in
            found.append(self.marker(node))
            return .passOver
        }
        return found
    }

    /// The cluster that a marker becomes part of at lower zooms.
    public func parent(of marker: Marker) -> Marker? {
        tree.parent(of: marker.node).map { self.marker(.cluster($0)) }
    }

    /// The points of a marker: indices of positions, or rows of the table.
    public func points(of marker: Marker) -> [Int] {
        switch marker.node {
        case .leaf(let leaf): [Int(tree.leafRows[leaf])]
        case .cluster(let cluster): tree.leafRange(of: cluster).map { Int(tree.leafRows[$0]) }
        }
    }

    /// The first zoom at which a cluster has come apart; for a point, the first zoom that draws it.
    public func expansionZoom(of marker: Marker) -> Int {
        switch marker.node {
        case .leaf(let leaf): Int(tree.leafParentZooms[leaf]) + 1
        case .cluster(let cluster): Int(tree.zooms[cluster]) + 1
        }
    }

    /// The box around a marker's points.
    public func box(of marker: Marker) -> LonLatBox {
        switch marker.node {
        case .leaf:
            LonLatBox(
                west: marker.position.longitude, south: marker.position.latitude,
                east: marker.position.longitude, north: marker.position.latitude)
        case .cluster(let cluster): boxes[cluster].lonLatBox
        }
    }

    /// The value of a cluster's attribute: an aggregate, or an attribute that it inherited.
    public func value(_ name: String, of marker: Marker) -> AttributeValue? {
        switch marker.node {
        case .leaf(let leaf):
            points.attributes.value(of: name, row: Int(tree.leafRows[leaf]))
        case .cluster(let cluster): tree.attributes.value(of: name, row: cluster)
        }
    }
}
