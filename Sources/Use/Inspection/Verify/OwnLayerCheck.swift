import ArchiveContract
import TileArchive

/// Compares an archive's description of one of its layers with the layer in all tiles.
struct OwnLayerCheck {
    let layer: LayerFigures
    let entry: VectorLayer
    let facts: CoveyFacts
    let metadata: ArchiveMetadata

    func check(_ findings: inout FindingList) {
        checkZooms(&findings)
        checkExtent(&findings)
        if layer.fractions > 0 {
            findings.add(
                .error, "number-type",
                "a cluster's count, id or zoom is stored as a fraction and not as a whole number",
                at: layer.name, count: layer.fractions)
        }
    }

    private func checkZooms(_ findings: inout FindingList) {
        let stored = layer.zooms
        let shown = layer.pointsByZoom.filter { $0.value > 0 }.keys
        // If tiles are left out, shallower ones show the layer at zooms that do not have it; a part does not tell how
        // deep its layers went.
        let isOpen = facts.description.isPart && facts.description.variableDepth > 0
        let deepest = isOpen ? metadata.maxZoom : shown.max()
        let last = stored.upperBound...max(stored.upperBound, deepest ?? 0)
        let isRight =
            entry.minZoom.map { $0 == stored.lowerBound } ?? true
            && entry.maxZoom.map(last.contains) ?? true
        if !isRight {
            findings.add(
                .error, "layer-zooms",
                "vector_layers gives a layer different zooms than its tiles have",
                at: "\(layer.name): \(stored.lowerBound) to \(stored.upperBound)")
        }
        for owner in facts.layers {
            guard let heat = owner.heatMaxZoom, facts.heats(layer.name, owner) else { continue }
            if Int(stored.upperBound) > heat {
                findings.add(
                    .error, "heat-zoom",
                    "a layer of finer counts goes deeper than the archive says",
                    at: "\(layer.name): \(stored.upperBound), not \(heat)")
            }
        }
    }

    /// The deepest zoom may have a greater extent.
    private func checkExtent(_ findings: inout FindingList) {
        guard let extent = facts.description.extent else { return }
        let least = Int64(layer.extents.lowerBound)
        let isAlone = layer.zooms.count == 1
        if isAlone ? least < extent : least != extent {
            findings.add(
                .error, "extent", "a layer has another extent than the archive says",
                at: "\(layer.name): \(least), not \(extent)")
        }
    }
}

extension CoveyFacts {
    /// Whether a layer has the finer counts of one hierarchy only.
    fileprivate func heats(_ layer: String, _ owner: ClusterDescription.Layer) -> Bool {
        layer == CompanionLayer.heat.name(beside: owner.name)
            && layers.count { $0.name == owner.name } == 1
    }
}
