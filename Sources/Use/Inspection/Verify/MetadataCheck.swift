import Conversion
import Geometry
import TileArchive

/// Compares the metadata with the contents of the tiles.
///
/// Covey's archives promise exact metadata; others may be less exact.
struct MetadataCheck {
    let metadata: ArchiveMetadata
    let survey: Survey
    /// The facts about Covey's layers; nil if the archive is another program's.
    let facts: CoveyFacts?

    private var isCovey: Bool { facts != nil }

    func findings() -> FindingList {
        var findings = FindingList()
        checkZooms(&findings)
        if metadata.format != "pbf" {
            findings.add(.error, "format", "the format is not pbf", at: metadata.format)
        }
        checkBounds(&findings)
        checkCenter(&findings)
        checkLayers(&findings)
        return findings
    }

    private func checkZooms(_ findings: inout FindingList) {
        guard let least = survey.zooms.first?.zoom, let most = survey.zooms.last?.zoom else {
            findings.add(.warning, "no-tiles", "the archive has no tiles")
            return
        }
        for (name, said, real) in [
            ("minzoom", metadata.minZoom, least), ("maxzoom", metadata.maxZoom, most),
        ] {
            guard let said = said.map(Int.init), said != real else { continue }
            let leavesTilesOut = name == "minzoom" ? said > real : said < real
            findings.add(
                isCovey || leavesTilesOut ? .error : .warning, "zooms",
                "\(name) is \(said), but the tiles' is \(real)")
        }
    }

    private func checkBounds(_ findings: inout FindingList) {
        if let bounds = metadata.bounds {
            BoundsCheck(
                bounds: bounds, survey: survey,
                showsAllPoints: facts?.showAllPoints(within: metadata) ?? false,
                isExact: isCovey
            )
            .check(&findings)
        } else if isCovey {
            findings.add(.error, "bounds", "there are no bounds")
        }
    }

    private func checkCenter(_ findings: inout FindingList) {
        guard let center = metadata.center else { return }
        let severity: Finding.Severity = isCovey ? .error : .warning
        if let bounds = metadata.bounds, !bounds.contains(center) {
            findings.add(
                severity, "center", "the center lies outside the bounds",
                at: "\(center.longitude),\(center.latitude)")
        }
        if let zoom = metadata.centerZoom,
            zoom < metadata.minZoom ?? 0 || zoom > metadata.maxZoom ?? .max
        {
            findings.add(
                severity, "center", "the center's zoom lies outside the archive's zooms",
                at: "\(zoom)")
        }
    }

    private func checkLayers(_ findings: inout FindingList) {
        let said = metadata.vectorLayers
        for layer in survey.layers where layer.features > 0 {
            guard let entry = said.first(where: { $0.id == layer.name }) else {
                findings.add(
                    .error, "vector-layers", "a layer is not listed in vector_layers",
                    at: layer.name)
                continue
            }
            checkFields(of: layer, entry, &findings)
            // A tile that cannot be read may have any layer.
            if let facts, facts.has(layer.name), survey.unreadableTiles == 0 {
                OwnLayerCheck(layer: layer, entry: entry, facts: facts, metadata: metadata)
                    .check(&findings)
            }
        }
        for entry in said where !survey.layers.contains(where: { $0.name == entry.id }) {
            findings.add(
                isCovey ? .error : .warning, "vector-layers",
                "vector_layers lists a layer that no tile has", at: entry.id)
        }
    }

    private func checkFields(
        of layer: LayerFigures, _ entry: VectorLayer, _ findings: inout FindingList
    ) {
        let isOwn = facts?.has(layer.name) ?? false
        // If not all is drawn, fields also list attributes of what is not drawn; and all finer counts may be 1.
        let isAll = !isOwn || !layer.isCompanion && facts?.showAll(within: metadata) ?? false
        let types = Dictionary(
            entry.fields.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        var drawn: Set<String> = []
        for attribute in layer.attributes where attribute.features > 0 {
            let name = "\(layer.name).\(attribute.name)"
            drawn.insert(attribute.name)
            guard let type = types[attribute.name] else {
                findings.add(
                    .error, "fields", "an attribute is not listed among its layer's fields",
                    at: name)
                continue
            }
            if attribute.kinds.disagree(with: type, isOwn: isOwn, isAll: isAll) {
                findings.add(
                    .error, "field-type", "a field has another type than its values",
                    at: "\(name): \(type), not \(attribute.kinds.words)")
            }
        }
        // Where there were more attributes than figures are kept of, it is not known which are drawn.
        guard isAll, !layer.hasMoreAttributes else { return }
        for field in entry.fields where !drawn.contains(field.name) {
            findings.add(
                .warning, "fields", "fields lists an attribute that no feature has",
                at: "\(layer.name).\(field.name)")
        }
    }
}

extension ValueKinds {
    /// Whether a field's type is not that of its values. A field has one type: for mixed values
    /// Covey writes that of texts, and other programs any of them.
    /// - Parameter isAll: whether all values were seen.
    fileprivate func disagree(with type: String, isOwn: Bool, isAll: Bool) -> Bool {
        guard let said = Self(word: type) else { return isOwn }
        guard isOwn else { return isDisjoint(with: said) }
        if said == .string { return isAll && (self == .number || self == .boolean) }
        return self != said
    }
}
