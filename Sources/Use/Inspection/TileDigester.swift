import Basics
import Conversion
import ArchiveContract
import Geometry
import TileArchive
import VectorTile

/// Adds up what tiles hold, one after another, in memory that it uses again.
struct TileDigester: Sendable {
    let takesFingerprints: Bool
    private let conventions: TileConventions
    // Of the layer at hand, by the indices of its keys and values.
    private var attributeOfKey: [Int] = []
    private var layerHash: UInt64 = 0
    private var letters = AbbreviatedCount.Letters.small
    /// The index of the key under which a point says its true place.
    private var placeKey = -1
    private var keyHashes: [UInt64] = []
    private var valueHashes: [UInt64] = []
    private var valueKinds: [AttributeFigures.Kinds] = []
    /// The size of each value that has not been counted yet; 0 from then on.
    private var uncountedBytes: [Int] = []

    init(takesFingerprints: Bool, _ conventions: TileConventions = TileConventions()) {
        self.takesFingerprints = takesFingerprints
        self.conventions = conventions
    }

    /// Adds a tile to a survey and its single-point features to `nodes`.
    ///
    /// Returns why the tile could not be read to its end; what came before that is counted.
    ///
    /// Of several tiles with the same contents it looks at the first, and counts it for each. Nodes are
    /// those of the first, and number its layers.
    /// - Parameter index: where its layers lie, if that is known.
    mutating func digest(
        _ tile: OpenedTile, _ index: TileIndex? = nil, into survey: inout Survey,
        nodes: inout [DrawnNode]
    ) -> TileFault? {
        if tile.group.count > 1 {
            var (one, first) = (Survey(), tile)
            first.group = TileGroup(tile.id)
            defer { survey.merge(one, over: tile.group) }
            return digest(first, index, into: &one, nodes: &nodes)
        }
        survey[zoom: tile.id.z].include(tile)
        do throws(TileFault) {
            let bytes = try tile.inflated
            survey[zoom: tile.id.z].inflatedBytes += bytes.count
            do throws(TileError) {
                try digest(bytes.span, index, of: tile.id, into: &survey, nodes: &nodes)
            } catch {
                throw .contents(error)
            }
            return nil
        } catch {
            survey[zoom: tile.id.z].unreadableTiles += 1
            return error
        }
    }

    private mutating func digest(
        _ bytes: Span<UInt8>, _ index: TileIndex?, of tile: TileID, into survey: inout Survey,
        nodes: inout [DrawnNode]
    ) throws(TileError) {
        var reader = try TileReader(bytes, index)
        while let layer = try reader.nextLayer() {
            let index = survey.index(of: layer, zoom: tile.z)
            let first = nodes.count
            try digest(
                layer, of: tile, into: &survey.layers[index], number: index, nodes: &nodes)
            survey[zoom: tile.z].features += layer.featureCount
            guard companion(layer) == nil else {
                survey.layers[index].isCompanion = true
                nodes.removeSubrange(first...)
                continue
            }
            survey[zoom: tile.z].include(nodes[first...], in: tile)
            // Of these there is nothing that could be checked.
            if takesFingerprints, conventions.isForeign(layer) { nodes.removeSubrange(first...) }
        }
    }

    private mutating func digest(
        _ layer: borrowing LayerView, of tile: TileID, into figures: inout LayerFigures,
        number: Int, nodes: inout [DrawnNode]
    ) throws(TileError) {
        let companion = companion(layer)
        let isHeat = companion == .heat
        let clusterKeys = ClusterKeyIndices(of: layer, countsWithoutFlag: isHeat)
        prepare(layer, &figures)
        var box = figures.boxes[tile.z] ?? .empty
        var points = 0
        // An array that grows by itself takes up to three times as much meanwhile.
        if nodes.isEmpty { nodes.reserveCapacity(layer.featureCount) }
        var features = layer.features()
        while let feature = try features.next() {
            var node = DrawnNode(
                layer: Int32(number), position: TilePoint(x: 0, y: 0),
                extent: Int32(truncatingIfNeeded: layer.extent), hasID: feature.id != nil,
                id: feature.id ?? 0)
            node.cluster.isFlagged = isHeat
            try readTags(of: feature, layer, clusterKeys, &node, &figures)
            figures.featuresByType[Int(feature.type.rawValue)] += 1
            figures.geometryBytes += feature.packedGeometry.count
            figures.tagBytes += feature.tagByteCount
            if node.cluster.hasFraction { figures.fractions += 1 }
            if let position = feature.point {
                node.position = position
                nodes.append(node)
                if node.isInTile {
                    box.include(WorldPoint(position, in: tile, extent: layer.extent))
                    points &+= Int(node.pointCount)
                    if node.isCluster { figures.clusters += 1 }
                }
            } else if companion == nil {
                // As of a part's bounds: `DrawnFigures`.
                box.include(feature, in: tile, extent: layer.extent)
            }
        }
        figures.skippedFeatures += features.skipped.count
        figures.pointsByZoom[tile.z, default: 0] &+= points
        if !box.isEmpty { figures.boxes[tile.z] = box }
    }

    private func companion(_ layer: borrowing LayerView) -> CompanionLayer? {
        conventions.companions.isEmpty ? nil : conventions.companions[layer.name]
    }

    /// Looks up the layer's keys and values once, before its features refer to them.
    private mutating func prepare(
        _ layer: borrowing LayerView, _ figures: inout LayerFigures
    ) {
        if takesFingerprints { layerHash = Fingerprint.hash(of: layer.nameBytes) }
        let letters = conventions.countLetters
        self.letters = letters.isEmpty ? .small : letters[layer.name] ?? .small
        placeKey = -1
        let isSpread = !conventions.spread.isEmpty && conventions.spread.contains(layer.name)
        figures.tiles += 1
        figures.bytes += layer.byteCount
        attributeOfKey.removeAll(keepingCapacity: true)
        keyHashes.removeAll(keepingCapacity: true)
        for index in 0..<layer.keyCount {
            let key = layer.keyBytes(at: index)
            if isSpread, layer.key(at: index) == PointSpread.attribute { placeKey = index }
            figures.keyBytes += key.count
            let attribute = figures.index(ofKey: key)
            attributeOfKey.append(attribute ?? -1)
            if let attribute { figures.attributes[attribute].keyBytes += key.count }
            if takesFingerprints { keyHashes.append(Fingerprint.hash(of: key)) }
        }
        valueHashes.removeAll(keepingCapacity: true)
        valueKinds.removeAll(keepingCapacity: true)
        uncountedBytes.removeAll(keepingCapacity: true)
        for index in 0..<layer.valueCount {
            let value = layer.value(at: index)
            figures.valueBytes += value.bytes.count
            valueKinds.append(.init(ofValue: value.bytes))
            uncountedBytes.append(value.bytes.count)
            if takesFingerprints { valueHashes.append(Fingerprint.hash(of: value.bytes)) }
        }
    }

    private mutating func readTags(
        of feature: borrowing FeatureView, _ layer: borrowing LayerView, _ keys: ClusterKeyIndices,
        _ node: inout DrawnNode, _ figures: inout LayerFigures
    ) throws(TileError) {
        var sum = layerHash
        var abbreviated: Int?
        var tags = feature.tags()
        while let tag = try tags.next() {
            let attribute = attributeOfKey[tag.key]
            if attribute >= 0 { count(tag, for: &figures.attributes[attribute]) }
            if keys.areThere {
                keys.note(tag, of: layer, in: &node.cluster)
                if tag.key == keys.abbreviatedKey { abbreviated = tag.value }
            }
            if tag.key == placeKey {
                // Not the point's own: it says where the point lies.
                node.note(placeWrittenAs: layer.value(at: tag.value))
                continue
            }
            if takesFingerprints {
                sum &+= Fingerprint.mix(keyHashes[tag.key], valueHashes[tag.value])
            }
        }
        guard takesFingerprints else { return }
        node.fingerprint = Fingerprint.mix(sum, node.hasID ? node.id : .max)
        if let abbreviated, let text = layer.value(at: abbreviated).textBytes {
            node.cluster.isAbbreviatedWell = text.abbreviates(
                node.cluster.pointCount, letters)
        }
    }

    @inline(__always)
    private mutating func count(_ tag: TagCursor.Tag, for attribute: inout AttributeFigures) {
        attribute.features += 1
        attribute.tagBytes += Varint.size(of: tag.key) + Varint.size(of: tag.value)
        attribute.kinds.formUnion(valueKinds[tag.value])
        attribute.valueBytes += uncountedBytes[tag.value]
        uncountedBytes[tag.value] = 0
    }
}
