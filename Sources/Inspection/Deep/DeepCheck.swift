import ArchiveContract
import Geometry
import Points
import Recipes
import TileArchive

/// Makes clusters' attributes again from the archive's own points and options, and holds every node
/// that a tile draws against them: `covey verify --deep`.
///
/// Memory: all points and clusters of the archive, about what building it took.
struct DeepCheck {
    let archive: Archive
    let description: ClusterDescription
    let threads: Int

    func run(_ findings: inout FindingList) throws {
        let recipe = RecipeCheck.recipe(of: archive.metadata, &findings)
        if let recipe { RecipeCheck(description: description).check(recipe, &findings) }
        guard archive.hasClusters else {
            findings.add(
                .warning, "no-leaves",
                "the archive keeps no points beside its tiles: attributes are not checked")
            return
        }
        // What is damaged here has been found by the walk over the index.
        guard
            let tables = try LayerPoints.read(archive, description.layers, &findings),
            let layers = try restoredLayers(tables, recipe)
        else { return }
        for layer in layers { checkPositions(of: layer, &findings) }
        StatisticsCheck(metadata: archive.metadata, layers: layers, description: description).check(
            listsAttributes: recipe != nil, &findings)
        let points = try PointLookup(archive, in: description.blockLayout)
        try DrawnCheck(
            layers: recipe == nil ? [] : layers, positions: layers, points: points,
            ids: description.ids
        ).run(archive, threads: threads, &findings)
    }

    private func restoredLayers(
        _ tables: [PointTable], _ recipe: Recipe?
    ) throws -> [RestoredLayer]? {
        var clusters = description.layers.map { _ in [ClusterRecord]() }
        var scan = try archive.scanClusters()
        while let row = try scan.next() {
            guard case .cluster(let record) = row,
                let layer = description.layers.firstIndex(where: {
                    $0.leaves.contains(record.key.firstLeaf)
                })
            else { return nil }
            clusters[layer].append(record)
        }
        var layers: [RestoredLayer] = []
        for (index, layer) in description.layers.enumerated() {
            guard
                let restored = try RestoredLayer(
                    layer, recipe?.layers.first { $0.name == layer.name }, points: tables[index],
                    clusters: clusters[index], threads: threads)
            else { return nil }
            layers.append(restored)
        }
        return layers
    }

    /// A cluster lies among its points, however its position was chosen.
    private func checkPositions(of layer: RestoredLayer, _ findings: inout FindingList) {
        let slack = 2 / GridPoint.steps
        for (cluster, record) in layer.clusters.enumerated() {
            let box = layer.boxes[cluster]
            let position = record.position.worldPoint
            let isAmong = [0, 1, -1].contains { turn in
                position.x + turn >= box.minX - slack && position.x + turn <= box.maxX + slack
            }
            guard isAmong, position.y >= box.minY - slack, position.y <= box.maxY + slack else {
                findings.add(
                    .error, "moved", "a cluster does not lie among its points",
                    at: "cluster \(description.ids.id(of: record.key))")
                continue
            }
        }
    }
}

extension PointLookup {
    /// The points of an archive's leaf blocks.
    fileprivate init(_ archive: Archive, in layout: LeafBlockLayout) throws(ArchiveError) {
        var leaves = LeafStream(try archive.scanLeafBlocks(), in: layout)
        while let leaf = try leaves.next() {
            insert(leaf.fingerprint, at: GridPoint(x: leaf.position.x, y: leaf.position.y))
        }
        sort()
    }
}
