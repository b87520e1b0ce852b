import ArchiveContract
import ClusterQueries
import Conversion
import Geometry
import Points
import Recipes
import TileArchive

/// Computes clusters' attributes again from the archive's own points and options, and compares
/// every node that a tile draws with them: `covey verify --deep`.
///
/// Memory: all points and clusters of the archive, about as much as building it took.
struct DeepCheck {
    let archive: Archive
    let facts: CoveyFacts
    let threads: Int

    private var description: ClusterDescription { facts.description }

    func run(_ findings: inout FindingList) throws {
        let recipe = RecipeCheck.recipe(of: archive.metadata, &findings)
        if let recipe {
            RecipeCheck(
                description: description, metadata: archive.metadata,
                hasLeaves: archive.hasClusters
            ).check(recipe, &findings)
        }
        guard archive.hasClusters else {
            findings.add(
                .warning, "no-leaves",
                "the archive keeps no points beside its tiles: attributes are not checked")
            return
        }
        // Damage here has been found by the walk over the index.
        guard
            let tables = try LayerPoints.read(archive, description.layers),
            let clusters = try clustersByLayer(),
            let layers = try restoredLayers(tables, clusters, recipe)
        else { return }
        try checkBlocks(tables, clusters, &findings)
        for layer in layers {
            PositionCheck(layer: layer).check(&findings)
            FacetCheck(layer: layer).check(&findings)
            checkGroups(of: layer, &findings)
            // Without a recipe, it is not known what bins carry.
            guard recipe != nil else { continue }
            try BinCheck(
                layer, buffer: description.buffer, in: archive.metadata, threads: threads)?
                .run(archive, threads: threads, &findings)
        }
        StatisticsCheck(metadata: archive.metadata, layers: layers, description: description).check(
            listsAttributes: recipe != nil, &findings)
        let carried = try DrawnCheck(
            facts, layers, hasAttributes: recipe != nil, PointLookup(archive)
        ).run(archive, threads: threads, &findings)
        if recipe != nil { checkCarried(carried, layers, &findings) }
    }

    private func clustersByLayer() throws(ArchiveError) -> [[ClusterRecord]]? {
        var clusters = description.layers.map { _ in [ClusterRecord]() }
        let scan = try archive.scanClusters()
        while let row = try scan.next() {
            guard case .cluster(let record) = row,
                let layer = facts.index(ofLeaf: record.key.firstLeaf)
            else { return nil }
            clusters[layer].append(record)
        }
        return clusters
    }

    private func checkBlocks(
        _ points: [PointTable], _ clusters: [[ClusterRecord]], _ findings: inout FindingList
    ) throws(ArchiveError) {
        do {
            try BlockCheck(description: description, clusters: clusters, points: points)
                .run(archive, &findings)
        } catch {
            if case .corrupt = error { throw error }
            findings.add(
                .error, "block-index", "cluster blocks cannot be made again from what they hold",
                at: "\(error)")
        }
    }

    private func restoredLayers(
        _ tables: [PointTable], _ clusters: [[ClusterRecord]], _ recipe: Recipe?
    ) throws -> [RestoredLayer]? {
        var layers: [RestoredLayer] = []
        for (index, layer) in description.layers.enumerated() {
            guard
                let restored = try RestoredLayer(
                    layer, recipe?.layers.first { $0.name == layer.name }, points: tables[index],
                    clusters: clusters[index], ids: clusters[index].map(description.id),
                    threads: threads)
            else { return nil }
            layers.append(restored)
        }
        return layers
    }

    /// Each value that is grouped by must have one hierarchy.
    private func checkGroups(of layer: RestoredLayer, _ findings: inout FindingList) {
        guard let name = layer.rules?.options.groupBy, let said = layer.said.clustering?.groups
        else { return }
        var values: Set<AttributeValue?> = []
        for row in 0..<layer.points.count {
            values.insert(layer.points.attributes.value(of: name, row: row))
        }
        guard values.count != Int(said) else { return }
        findings.add(
            .error, "recipe", "there are not as many hierarchies as the archive says",
            at: "\(layer.name).groups: \(values.count), not \(said)")
    }

    /// `carries` must list the attributes that clusters have beyond those of the index.
    private func checkCarried(
        _ carried: [String: Set<String>], _ layers: [RestoredLayer],
        _ findings: inout FindingList
    ) {
        let isAll = facts.showAll(within: archive.metadata)
        for layer in layers {
            guard let names = layer.said.carries.map(Set.init) else { continue }
            let asked = Set(layer.fields.map(\.name))
            let seen = (carried[layer.name] ?? []).union(asked)
            let isRight = isAll ? seen == names : seen.isSubset(of: names)
            guard !isRight else { continue }
            findings.add(
                .error, "carries", "clusters carry other attributes than the archive says",
                at: "\(layer.name): "
                    + seen.symmetricDifference(names).sorted().joined(separator: ", "))
        }
    }
}

extension PointLookup {
    /// The points of an archive's leaf blocks.
    fileprivate init(_ archive: Archive) throws(ArchiveError) {
        var leaves = try LeafStream(archive, in: archive.leafBlockTable())
        while let leaf = try leaves.next() {
            insert(leaf.fingerprint, at: GridPoint(x: leaf.position.x, y: leaf.position.y))
        }
        sort()
    }
}
