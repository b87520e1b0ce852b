import ArchiveContract
import Clustering
import JSON
import Pipelines
import Points
import Recipes
import TileArchive

/// Statistics of a layer's features: each point and each cluster is counted once.
struct LayerStatistics: Sendable {
    /// The most bytes of all values in an entry of `tilestats`. Clients read these before the first tile, and readers
    /// refuse metadata of many megabytes.
    private static let mostValueBytes = 512 << 10

    let name: String
    private(set) var featureCount = 0
    /// The statistics by the number of the attribute's key.
    private var fields: [FieldStatistics] = []
    /// The values that clusters carry from the clustering itself.
    private var clusterFields: [ClusterAttribute: FieldStatistics] = [:]

    init(name: String) { self.name = name }

    /// Includes some nodes: leaves first, then clusters.
    init(of layer: DrawnLayer, nodes: Range<Int>) {
        name = layer.name
        featureCount = nodes.count
        let leaves = layer.tree.leafCount
        let clusters = nodes.clamped(to: leaves..<max(leaves, nodes.upperBound))
        includePoints(nodes.clamped(to: 0..<leaves), of: layer.table)
        for node in clusters {
            layer.tree.attributes.withRecord(of: node - leaves) { include($0, layer.facetKeys) }
        }
        for attribute in layer.attributes where !clusters.isEmpty {
            clusterFields[attribute] = Self.statistics(
                of: attribute, in: layer,
                clusters: clusters.lowerBound - leaves..<clusters.upperBound - leaves)
        }
    }

    private static func statistics(
        of attribute: ClusterAttribute, in layer: DrawnLayer, clusters: Range<Int>
    ) -> FieldStatistics {
        // Each cluster's box is a text of its own: listing them would say nothing.
        guard attribute != .bbox else { return FieldStatistics(texts: clusters.count) }
        var statistics = FieldStatistics()
        var scalar = PackedScalar()
        for cluster in clusters where layer.set(&scalar, to: attribute, of: cluster) {
            statistics.include(scalar.value)
        }
        return statistics
    }

    /// Includes points, which are in leaf order.
    private mutating func includePoints(_ rows: Range<Int>, of table: PointTable) {
        table.attributes.forEachRecord(of: rows) { include($1) }
    }

    /// - Parameter facets: attributes of which only the presence is noted.
    private mutating func include(
        _ record: borrowing AttributeRecord, _ facets: Set<AttributeKey> = []
    ) {
        var cursor = record.makeCursor()
        while let attribute = cursor.next() {
            let key = Int(attribute.key.number)
            while fields.count <= key { fields.append(FieldStatistics()) }
            if facets.contains(attribute.key) {
                fields[key].merge(FieldStatistics(texts: 1))
            } else {
                fields[key].include(attribute.value)
            }
        }
    }

    /// Includes records alone.
    mutating func include(_ records: AttributeTable, _ facets: Set<AttributeKey>) {
        records.forEachRecord(of: 0..<records.count) { include($1, facets) }
    }

    mutating func merge(_ later: LayerStatistics) {
        featureCount += later.featureCount
        while fields.count < later.fields.count { fields.append(FieldStatistics()) }
        for (key, field) in later.fields.enumerated() { fields[key].merge(field) }
        clusterFields.merge(later.clusterFields) { own, later in
            var own = own
            own.merge(later)
            return own
        }
    }

    func write(to sink: inout BlockSink) {
        sink.write(featureCount, fields, clusterFields)
    }

    /// - Parameter keys: the attributes that the numbers in the file stand for.
    init(
        name: String, _ source: inout BlockSource, _ keys: StoredKeys
    ) throws(BlockSource.Damaged) {
        self.name = name
        let stored: [FieldStatistics]
        (featureCount, stored, clusterFields) = try source.values()
        for (number, field) in stored.enumerated() {
            guard let key = keys.key(ofStored: number) else { throw BlockSource.Damaged() }
            while fields.count <= Int(key.number) { fields.append(FieldStatistics()) }
            fields[Int(key.number)] = field
        }
    }

    /// All attributes, clusters' own first, then by name, as key numbers depend on the order of arrival.
    func named(_ keys: [String]) -> [(name: String, statistics: FieldStatistics)] {
        let own = ClusterAttribute.allCases.compactMap { attribute in
            clusterFields[attribute].map { (name: attribute.name, statistics: $0) }
        }.filter { $0.statistics.count > 0 }
        let names = Set(own.map(\.name))
        let others = zip(keys, fields).filter { $0.1.count > 0 && !names.contains($0.0) }
        return own
            + others.sorted { $0.0 < $1.0 }.map { (name: $0.0, statistics: $0.1) }
    }

    func vectorLayer(keys: [String], zooms: ClosedRange<UInt8>) -> VectorLayer {
        VectorLayer(
            id: name,
            fields: named(keys).map { field in
                VectorLayer.Field(field.name, field.statistics.kind)
            },
            minZoom: zooms.lowerBound, maxZoom: zooms.upperBound)
    }

    /// The layer's entry in `tilestats`.
    func json(keys: [String]) -> JSONValue {
        let attributes = named(keys)
        let room = Self.mostValueBytes / max(1, attributes.count)
        return [
            "layer": .string(name), "count": .integer(Int64(featureCount)), "geometry": "Point",
            "attributeCount": .integer(Int64(attributes.count)),
            "attributes": .array(attributes.map { $0.statistics.json(named: $0.name, room: room) }),
        ]
    }
}

extension Recipe.Layer {
    /// The keys of attributes by whose values clusters count their points.
    func facetKeys(among keys: AttributeKeys) -> Set<AttributeKey> {
        let facets = (try? clusters?.parsedFacets()) ?? []
        return Set(facets.compactMap { keys.key(named: $0.attribute) })
    }
}

extension ClusterAttribute: BlockValue {}
