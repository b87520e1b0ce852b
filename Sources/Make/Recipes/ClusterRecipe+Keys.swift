import ArchiveContract
import Clustering
import JSON

extension ClusterRecipe: RecipeSection {
    static let keys: [RecipeKey<ClusterRecipe>] = [
        RecipeKey(
            "radius", .numberByZoom, option: .init("cluster-radius", "PIXELS"),
            "points closer than this form a cluster, in pixels of a 512-pixel tile; or by zoom: "
                + "{\"0\": 80, \"10\": 40} (default 50)",
            get: { $0.options.radius.json },
            set: { $0.options.radius = try Radius(reading: $1) }),
        .flag(
            "gridFit", option: .init("grid-fit"),
            "with algorithm grid: fit the radius so that the world is a whole number of cells "
                + "(default false)", \.gridFit),
        .flag(
            "formed",
            "form clusters; if false, these settings apply to bins only, and deeper zooms draw points "
                + "(default true)", \.areFormed),
        .optionalInteger(
            "maxZoom", 0...24, option: .init("cluster-max-zoom", "Z"),
            "the deepest zoom with clusters (default: one less than the tiles' deepest)",
            \.maxZoom),
        .integer(
            "minPoints", 2...(.max), option: .init("cluster-min-points", "N"),
            "the fewest points that form a cluster (default 2)", \.options.minPoints),
        .choice(
            "algorithm", option: .init("algorithm"),
            "spaced: markers never overlap; greedy: like Supercluster; grid (default spaced)",
            \.options.algorithm),
        .choice(
            "order", option: .init("order"),
            "how the points that clusters grow from are chosen: independently of input order, or by it "
                + "(default stable)", \.options.order),
        .flag(
            "wrap",
            option: .off("no-wrap", "form no clusters across the antimeridian"),
            "form clusters across the antimeridian (default true)", \.options.wrap),
        .text(
            "weight", option: .init("weight", "ATTR"),
            "the attribute that weights points in cluster centres and ranks them", \.weight),
        .text(
            "groupBy", option: .init("group-by", "ATTR"),
            "cluster only points with the same value of this attribute", \.options.groupBy),
        .integer(
            "minUniqueLocations", 1...(.max), option: .init("min-unique-locations", "N"),
            "the fewest distinct positions that form a cluster (default 1)",
            \.options.minUniqueLocations),
        RecipeKey(
            "position", .either(.choice(["centroid", "anchor", "nearest"]), .map(.text)),
            option: .init("position", "POSITION"),
            schema: [
                "minProperties": 1, "maxProperties": 1,
                "propertyNames": ["pattern": "^(max|min)$"],
            ],
            "where a cluster is placed: centroid, anchor, nearest, {\"max\": ATTR} or "
                + "{\"min\": ATTR} (default centroid)",
            get: { $0.options.position.json },
            set: { $0.options.position = try ClusterOptions.Position(reading: $1) }),
        .texts(
            "inherit", option: .init("inherit", "ATTR,ATTR"),
            "attributes that a cluster copies from its representative point", \.options.inherit),
        .flag(
            "keepCoincident", option: .init("keep-coincident"),
            "keep points at the same position as one marker at every zoom",
            \.options.keepCoincident),
        RecipeKey(
            "aggregates", .map(.aggregate),
            option: .init("aggregate", "NAME=OP[:ATTR]"),
            "an attribute of clusters, computed from their points; ATTR may be an expression; OP: "
                + AggregateOperation.words.joined(separator: ", "),
            get: { clusters in
                .object(JSONObject(clusters.aggregates.map { .init(key: $0.name, value: $0.json) }))
            },
            set: { clusters, node in
                clusters.aggregates = try node.members.map {
                    try ClusterRecipe.Aggregation($0.key, reading: $0.node)
                }
            }),
        .json(
            "clusterProperties", .expressions, option: .init("cluster-properties", "JSON"),
            "the same in MapLibre's form: {\"sum\": [\"+\", [\"get\", \"value\"]]}",
            \.clusterProperties),
        RecipeKey(
            "facets", .wholeTexts, option: .init("facet", "FACET"),
            "counts by value that clusters carry, so that styles can filter: kind, price:0,50,100, date:month "
                + "(year, quarter, month, week, day, hour), kind*date:month, kind=sum:price",
            get: { .array($0.facets.map(JSONValue.string)) },
            set: { clusters, node in clusters.facets = try node.elements.map { try $0.string } }),
        .text(
            "facetZone", option: .init("facet-zone", "ZONE"),
            "the time zone for days and months in facets, such as Europe/Zurich (default UTC)",
            \.facetZone),
        .choice(
            "countLetters", option: .init("count-letters"),
            "how \(ClusterAttribute.pointCountAbbreviated.name) shortens: 4k, 4K, or not at all "
                + "(default k)", \.countLetters),
        RecipeKey(
            "fields", .texts, option: .init("cluster-fields", "FIELD,…"),
            schema: [
                "items": ["enum": .array(ClusterAttribute.onRequest.map { .string($0.name) })]
            ],
            "additional attributes of clusters: "
                + ClusterAttribute.onRequest.map(\.name).joined(separator: ", "),
            get: { .array($0.fields.map { .string($0.rawValue) }) },
            set: { clusters, node in
                clusters.fields = try node.elements.map { element in
                    let name = try element.string
                    let field = ClusterAttribute.onRequest.first { $0.name == name }
                    guard let field else {
                        throw element.wrong(among: ClusterAttribute.onRequest.map(\.name))
                    }
                    return field
                }
            }),
    ]
}

extension Radius {
    init(reading node: JSONNode) throws {
        guard case .object = node.value else {
            self.init(try node.number)
            return
        }
        var stops: [Int: Double] = [:]
        for (zoom, pixels) in try node.members { stops[Int(zoom) ?? 0] = try pixels.number }
        self.init(stops: stops)
    }

    package var json: JSONValue {
        if stops.count == 1, stops[0].zoom == 0 { return JSONValue(canonical: stops[0].pixels) }
        return .object(
            JSONObject(
                stops.map { .init(key: "\($0.zoom)", value: JSONValue(canonical: $0.pixels)) }))
    }
}

extension ClusterOptions.Position {
    init(reading node: JSONNode) throws {
        switch node.value {
        case "centroid": self = .centroid
        case "anchor": self = .anchor
        case "nearest": self = .nearest
        default:
            let members = try node.members
            guard members.count == 1, let member = members.first else {
                throw node.wrong("{\"max\": ATTR} or {\"min\": ATTR}")
            }
            switch member.key {
            case "max": self = .max(try member.node.string)
            case "min": self = .min(try member.node.string)
            default: throw node.wrong("{\"max\": ATTR} or {\"min\": ATTR}")
            }
        }
    }

    var json: JSONValue {
        switch self {
        case .centroid: "centroid"
        case .anchor: "anchor"
        case .nearest: "nearest"
        case .max(let attribute): ["max": .string(attribute)]
        case .min(let attribute): ["min": .string(attribute)]
        }
    }
}
