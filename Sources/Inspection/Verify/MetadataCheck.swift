import Geometry
import TileArchive

/// What the metadata says, held against what the tiles hold.
///
/// Archives of Covey promise exact metadata; others may leave room.
struct MetadataCheck {
    let metadata: ArchiveMetadata
    let survey: Survey
    let isCovey: Bool
    /// Whether the deepest tiles show every point, so that they reach as far as the points do.
    let showsAllPoints: Bool

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

    /// The deepest zoom has the most exact positions.
    private var contents: (box: WorldBox, unit: Double)? {
        guard let zoom = survey.zooms.last?.zoom else { return nil }
        var box = WorldBox.empty
        var extent: UInt32 = .max
        for layer in survey.layers {
            guard let part = layer.boxes[UInt8(zoom)] else { continue }
            box = box.union(part)
            extent = min(extent, max(1, layer.extents.lowerBound))
        }
        guard !box.isEmpty else { return nil }
        return (box, TileID(z: UInt8(zoom), x: 0, y: 0).width / Double(extent))
    }

    private func checkBounds(_ findings: inout FindingList) {
        guard let bounds = metadata.bounds else {
            if isCovey { findings.add(.error, "bounds", "there are no bounds") }
            return
        }
        guard let (box, unit) = contents else { return }
        // A box across the antimeridian says nothing about columns.
        let west = WorldPoint(LonLat(longitude: bounds.west, latitude: bounds.north))
        let east = WorldPoint(LonLat(longitude: bounds.east, latitude: bounds.south))
        let said = WorldBox(minX: west.x, minY: west.y, maxX: east.x, maxY: east.y)
        let slack = 2 * unit
        let checksColumns = !bounds.crossesAntimeridian
        guard !box.lies(in: said, slack: slack, columns: checksColumns) else {
            if showsAllPoints, checksColumns, !said.lies(in: box, slack: slack, columns: true),
                said.maxX - said.minX > 1e-6 || said.maxY - said.minY > 1e-6
            {
                findings.add(
                    .error, "bounds", "the bounds are wider than what the tiles hold",
                    at: box.words)
            }
            return
        }
        let mirrored = WorldBox(
            minX: box.minX, minY: 1 - box.maxY, maxX: box.maxX, maxY: 1 - box.minY)
        // Rows are turned over, not what is in their tiles: that may be off by a tile's height.
        let tile = TileID(z: UInt8(survey.zooms.last?.zoom ?? 0), x: 0, y: 0).width
        if mirrored.lies(in: said, slack: slack + tile, columns: checksColumns) {
            findings.add(
                .error, "row-numbering",
                "the rows seem to be numbered from the north: turned over, the features fit the "
                    + "bounds", at: box.words)
        } else {
            findings.add(
                .error, "bounds", "features lie outside the bounds", at: box.words)
        }
    }

    private func checkCenter(_ findings: inout FindingList) {
        guard let center = metadata.center else { return }
        if let bounds = metadata.bounds, !bounds.contains(center) {
            findings.add(
                .warning, "center", "the center lies outside the bounds",
                at: "\(center.longitude),\(center.latitude)")
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
        for attribute in layer.attributes where attribute.features > 0 {
            let name = "\(layer.name).\(attribute.name)"
            guard let field = entry.fields.first(where: { $0.name == attribute.name }) else {
                findings.add(
                    .error, "fields", "an attribute is not listed among its layer's fields",
                    at: name)
                continue
            }
            // A field has one type; where values are mixed, any of theirs will do.
            let kind = AttributeFigures.Kinds(word: field.type)
            if let kind, attribute.kinds.isDisjoint(with: kind) {
                findings.add(
                    .error, "field-type", "a field has another type than its values",
                    at: "\(name): \(field.type), not \(attribute.kinds.words)")
            }
        }
        for field in entry.fields
        where !layer.attributes.contains(where: { $0.name == field.name && $0.features > 0 }) {
            findings.add(
                .warning, "fields", "fields lists an attribute that no feature has",
                at: "\(layer.name).\(field.name)")
        }
    }
}

extension AttributeFigures.Kinds {
    /// A type of TileJSON (3.3.1); nil for words that programs make up, such as Mixed.
    init?(word: String) {
        switch word {
        case "Number": self = .number
        case "Boolean": self = .bool
        case "String": self = .string
        default: return nil
        }
    }
}

extension WorldBox {
    func lies(in other: WorldBox, slack: Double, columns: Bool) -> Bool {
        guard minY >= other.minY - slack, maxY <= other.maxY + slack else { return false }
        return !columns || minX >= other.minX - slack && maxX <= other.maxX + slack
    }

    /// The box in degrees, to a metre.
    var words: String {
        let box = lonLatBox
        return [box.west, box.south, box.east, box.north].map { degrees in
            "\((degrees * 1e5).rounded() / 1e5)"
        }.joined(separator: ",")
    }
}
