import ArchiveContract
import Geometry
import JSON
import TileArchive

/// The metadata of several archives, joined.
struct JoinedMetadata {
    private let sources: [ArchiveMetadata]
    private let plan: JoinPlan
    private let name: String?
    private(set) var notes: [String] = []

    init(_ sources: [ArchiveMetadata], _ plan: JoinPlan, name: String?) {
        self.sources = sources
        self.plan = plan
        self.name = name
    }

    mutating func metadata() -> ArchiveMetadata {
        var metadata = ArchiveMetadata(name: name ?? Self.joined(sources.map(\.name)) ?? "")
        metadata.description = name ?? Self.joined(sources.map(\.description))
        metadata.attribution = Self.joined(sources.map(\.attribution))
        metadata.type = sources[0].type
        metadata.version = sources[0].version
        metadata.minZoom = sources.compactMap(\.minZoom).min()
        metadata.maxZoom = sources.compactMap(\.maxZoom).max()
        metadata.bounds = bounds
        metadata.center = sources[0].center
        metadata.centerZoom = sources[0].centerZoom
        metadata.generator = Self.joined(sources.map(\.generator))
        metadata.generatorOptions = recipe?.text()
        metadata.vectorLayers = vectorLayers()
        metadata.tileStats = statistics()
        metadata.covey = plan.description?.json
        metadata.others = sources[0].others.filter { row in
            sources.allSatisfy { $0.others[row.key] == row.value }
        }
        return metadata
    }

    /// The recipe that would have built all layers at once, if there can be one.
    private var recipe: JSONValue? {
        var all: JSONObject?
        var layers: [JSONValue] = []
        for source in sources {
            guard let text = source.generatorOptions,
                var recipe = (try? JSONValue(parsing: text))?.asObject,
                let own = recipe["layers"]?.asArray
            else { return nil }
            layers += own
            recipe["layers"] = nil
            guard all ?? recipe == recipe else { return nil }
            all = recipe
        }
        let names = layers.compactMap { $0.asObject?["name"]?.asString }
        guard var all, Set(names).count == layers.count else { return nil }
        // If the points decided each archive's deepest zoom, they would have decided one zoom for all together.
        let isChosen = all["tiles"]?.asObject?["maxZoom"] == nil
        if isChosen, Set(sources.map(\.maxZoom)).count > 1 { return nil }
        all["layers"] = .array(layers)
        return .object(all)
    }

    /// Each distinct text once.
    private static func joined(_ texts: [String?]) -> String? {
        var known: [String] = []
        for case let text? in texts where !text.isEmpty && !known.contains(text) {
            known.append(text)
        }
        return known.isEmpty ? nil : known.joined(separator: ", ")
    }

    /// The box around all bounds. Bounds over the antimeridian make it a belt around the world, as TileJSON's do not wrap.
    private var bounds: LonLatBox? {
        let boxes = sources.compactMap(\.bounds)
        guard var all = boxes.first, boxes.count == sources.count else { return nil }
        for box in boxes {
            all.south = min(all.south, box.south)
            all.north = max(all.north, box.north)
            if box.crossesAntimeridian || all.crossesAntimeridian {
                if box != all { (all.west, all.east) = (-180, 180) }
            } else {
                all.west = min(all.west, box.west)
                all.east = max(all.east, box.east)
            }
        }
        return all
    }

    /// Layers in the order of their leaves; layers without leaves come last.
    private mutating func vectorLayers() -> [VectorLayer] {
        var layers: [VectorLayer] = []
        var indexes: [String: Int] = [:]
        for source in sources {
            for layer in source.vectorLayers {
                var layer = layer
                layer.minZoom = layer.minZoom ?? source.minZoom
                layer.maxZoom = layer.maxZoom ?? source.maxZoom
                if let index = indexes[layer.id] {
                    layers[index] = merged(layers[index], layer)
                } else {
                    indexes[layer.id] = layers.count
                    layers.append(layer)
                }
            }
        }
        return layers.inOrder(of: plan.units.map(\.layer.name), by: \.id)
    }

    private mutating func merged(_ a: VectorLayer, _ b: VectorLayer) -> VectorLayer {
        var layer = a
        layer.minZoom = Self.both(a.minZoom, b.minZoom, min)
        layer.maxZoom = Self.both(a.maxZoom, b.maxZoom, max)
        for field in b.fields {
            guard let index = layer.fields.firstIndex(where: { $0.name == field.name }) else {
                layer.fields.append(field)
                continue
            }
            guard layer.fields[index].type != field.type else { continue }
            notes.append(
                "layer \(a.id): \(field.name) is \(layer.fields[index].type) in one archive and "
                    + "\(field.type) in another; styles will meet both")
            layer.fields[index] = VectorLayer.Field(field.name, .string)
        }
        return layer
    }

    private static func both(
        _ a: UInt8?, _ b: UInt8?, _ choose: (UInt8, UInt8) -> UInt8
    ) -> UInt8? {
        if let a, let b { choose(a, b) } else { a ?? b }
    }

    private mutating func statistics() -> JSONValue? {
        var join = LayerStatisticsJoin()
        for (index, source) in sources.enumerated() {
            guard let stats = source.tileStats else {
                notes.append("tilestats are left out: not all archives have them")
                return nil
            }
            let own = plan.units.filter { $0.source == index }
            join.add(stats) { name in
                guard let unit = own.first(where: { $0.layer.name == name }) else { return (0, []) }
                let ids = [ClusterAttribute.clusterID.name]
                return (
                    unit.idShift, plan.saysParent(name) ? ids + [ClusterAttribute.parent.name] : ids
                )
            }
        }
        if !join.isExact {
            notes.append(
                "tilestats: where layers share an attribute with many values, their number is the "
                    + "least that it can be")
        }
        return join.json(inOrderOf: plan.units.map(\.layer.name))
    }
}
