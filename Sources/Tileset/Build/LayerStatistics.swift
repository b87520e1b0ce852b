import Recipes
import Clustering
import Geometry
import JSON
import Pipelines
import Points
import TileArchive

/// What is known of a layer's features: each point and each cluster counted once.
struct LayerStatistics: Sendable {
    let name: String
    private(set) var featureCount = 0
    /// By the number of the attribute's key.
    private var fields: [FieldStatistics] = []
    /// By name: what every cluster carries.
    private var clusterFields: [(name: String, statistics: FieldStatistics)] = []
    /// The box of the points, in the unit square.
    private(set) var box = WorldBox.empty

    init(name: String) { self.name = name }

    /// Looks at all features of a layer, in several threads; the result does not depend on them.
    static func of(_ layer: DrawnLayer, threads: Int) throws -> LayerStatistics {
        let rows = layer.tree.leafCount + layer.tree.clusterCount
        let pieces = PieceCounter(total: rows, size: 1 << 16)
        var statistics = LayerStatistics(name: layer.name)
        try OrderedPipeline(threads: threads).run(
            next: { pieces.next() }, state: {},
            work: { _, piece in LayerStatistics(of: layer, nodes: piece) },
            consume: { statistics.merge($0) })
        return statistics
    }

    /// Looks at some nodes: leaves first, then clusters.
    private init(of layer: DrawnLayer, nodes: Range<Int>) {
        name = layer.name
        featureCount = nodes.count
        let leaves = layer.tree.leafCount
        var columns = ClusterColumns()
        includePoints(nodes.clamped(to: 0..<leaves), of: layer.table)
        for node in nodes.clamped(to: leaves..<max(leaves, nodes.upperBound)) {
            columns.include(node - leaves, of: layer)
            layer.tree.attributes.withRecord(of: node - leaves) { include($0) }
        }
        clusterFields = columns.fields(layer.fields)
    }

    /// Looks at points, which lie in leaf order.
    private mutating func includePoints(_ rows: Range<Int>, of table: PointTable) {
        table.attributes.forEachRecord(of: rows) { include($1) }
        for row in rows { box.include(table.place(of: row)) }
    }

    private mutating func include(_ record: borrowing AttributeRecord) {
        var cursor = record.makeCursor()
        while let attribute = cursor.next() {
            let key = Int(attribute.key.number)
            while fields.count <= key { fields.append(FieldStatistics()) }
            fields[key].include(attribute.value)
        }
    }

    private mutating func merge(_ later: LayerStatistics) {
        featureCount += later.featureCount
        while fields.count < later.fields.count { fields.append(FieldStatistics()) }
        for (key, field) in later.fields.enumerated() { fields[key].merge(field) }
        for field in later.clusterFields {
            if let index = clusterFields.firstIndex(where: { $0.name == field.name }) {
                clusterFields[index].statistics.merge(field.statistics)
            } else {
                clusterFields.append(field)
            }
        }
        if !later.box.isEmpty {
            box.include(WorldPoint(x: later.box.minX, y: later.box.minY))
            box.include(WorldPoint(x: later.box.maxX, y: later.box.maxY))
        }
    }

    /// All attributes, clusters' own first, then by name: key numbers follow the order of arrival.
    func named(_ keys: [String]) -> [(name: String, statistics: FieldStatistics)] {
        let own = Set(clusterFields.map(\.name))
        let others = zip(keys, fields).filter { $0.1.count > 0 && !own.contains($0.0) }
        return clusterFields
            + others.sorted { $0.0 < $1.0 }.map { (name: $0.0, statistics: $0.1) }
    }

    func vectorLayer(keys: [String], zooms: ClosedRange<UInt8>) -> VectorLayer {
        VectorLayer(
            id: name,
            fields: named(keys).map { field in
                VectorLayer.Field(
                    field.name,
                    VectorLayer.FieldType(rawValue: field.statistics.kind.rawValue)
                        ?? .string)
            },
            minZoom: zooms.lowerBound, maxZoom: zooms.upperBound)
    }

    /// The layer's entry in `tilestats`.
    func json(keys: [String]) -> JSONValue {
        let attributes = named(keys)
        return [
            "layer": .string(name), "count": .integer(Int64(featureCount)), "geometry": "Point",
            "attributeCount": .integer(Int64(attributes.count)),
            "attributes": .array(attributes.map { $0.statistics.json(named: $0.name) }),
        ]
    }
}

/// The attributes that a cluster's feature has from the tree itself.
private struct ClusterColumns {
    private var cluster = FieldStatistics()
    private var id = FieldStatistics()
    private var count = FieldStatistics()
    private var abbreviated = FieldStatistics()
    private var expansionZoom = FieldStatistics()
    private var weight = FieldStatistics()
    private var root = FieldStatistics()
    private var uniqueLocation = FieldStatistics()
    private var scalar = PackedScalar()

    mutating func include(_ index: Int, of layer: DrawnLayer) {
        let points = UInt64(layer.leaves[index])
        let zoom = UInt64(layer.zooms[index])
        scalar.set(bool: true)
        cluster.include(scalar.value)
        if layer.fields.contains(.uniqueLocation), layer.tree.isOnePlace(index, in: layer.table) {
            uniqueLocation.include(scalar.value)
        }
        scalar.set(unsigned: (UInt64(layer.firstLeaf) + UInt64(layer.firsts[index])) * 32 + zoom)
        id.include(scalar.value)
        scalar.set(unsigned: points)
        count.include(scalar.value)
        scalar.set(shortText: AbbreviatedCount(points).text)
        abbreviated.include(scalar.value)
        scalar.set(unsigned: zoom + 1)
        expansionZoom.include(scalar.value)
        if layer.fields.contains(.pointWeight) {
            scalar.set(number: layer.tree.weights?[index] ?? Double(points))
            weight.include(scalar.value)
        }
        if layer.fields.contains(.sqrtPointCount) {
            scalar.set(number: ClusterRoot.rounded(points))
            root.include(scalar.value)
        }
    }

    func fields(_ asked: Set<ClusterField>) -> [(name: String, statistics: FieldStatistics)] {
        guard cluster.count > 0 else { return [] }
        var fields: [(name: String, statistics: FieldStatistics)] = [
            ("cluster", cluster), ("cluster_id", id), ("point_count", count),
            ("point_count_abbreviated", abbreviated), ("expansion_zoom", expansionZoom),
        ]
        if asked.contains(.pointWeight) {
            fields.append((ClusterField.pointWeight.rawValue, weight))
        }
        if asked.contains(.sqrtPointCount) {
            fields.append((ClusterField.sqrtPointCount.rawValue, root))
        }
        // A box is a text of its own for each cluster: only that it is there is worth saying.
        if asked.contains(.bbox) {
            fields.append((ClusterField.bbox.rawValue, FieldStatistics(texts: cluster.count)))
        }
        if uniqueLocation.count > 0 {
            fields.append((ClusterField.uniqueLocation.rawValue, uniqueLocation))
        }
        return fields
    }
}
