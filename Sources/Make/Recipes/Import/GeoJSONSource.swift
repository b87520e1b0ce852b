import Clustering
import Expressions
import JSON

/// A GeoJSON source of a style, as MapLibre understands it.
struct GeoJSONSource {
    let name: String
    let isClustered: Bool
    private let data: JSONValue
    private let node: JSONNode
    private let maxZoom: Int
    private let radius: Double
    private let clusterMaxZoom: Int
    private let minPoints: Int
    private let generatesIDs: Bool

    init(_ name: String, reading node: JSONNode) throws {
        self.name = name
        self.node = node
        data = try node.required("data").value
        guard data.asString != nil || data.asObject != nil else {
            throw try node.required("data").wrong("GeoJSON, or a URL of it")
        }
        isClustered = try node.member("cluster")?.bool ?? false
        maxZoom = Int(try Self.number("maxzoom", in: node, 0...24) ?? 18)
        // In MapLibre, a radius of 0 means none is given.
        radius = try Self.number("clusterRadius", in: node, 0...4096).nonZero ?? 50
        let deepest = try Self.number("clusterMaxZoom", in: node, 0...24)
        clusterMaxZoom = deepest.map { Int($0.rounded()) } ?? max(maxZoom - 1, 0)
        let least = try Self.number("clusterMinPoints", in: node, 0...1e9) ?? 2
        minPoints = max(2, Int(least.rounded(.up)))
        generatesIDs = try node.member("generateId")?.bool ?? false
        if let filter = node.part("filter") {
            _ = try Expression(parsing: filter.value, at: filter.path, as: .filter)
        }
        for (key, property) in try node.part("clusterProperties")?.members ?? [] {
            _ = try ClusterProperty(name: key, json: property.value, at: property.path)
        }
    }

    private static func number(
        _ key: String, in node: JSONNode, _ range: ClosedRange<Double>
    ) throws -> Double? {
        guard let member = node.part(key) else { return nil }
        try RecipeValue.number(range).check(member)
        return try member.number
    }

    /// The file for data that is inside the style.
    var file: String { name.replacing("/", with: "-") + ".geojson" }

    var inlineData: JSONValue? { data.asObject.map(JSONValue.object) }

    var attribution: String? { node.part("attribution")?.value.asString }

    /// The deepest tiles that are needed: where the last clusters come apart, if the source has
    /// that zoom, and where positions are as exact as maps show them when they are magnified.
    var deepestTiles: UInt8 {
        guard clusterMaxZoom < maxZoom else { return UInt8(clusterMaxZoom) }
        return UInt8(max(clusterMaxZoom + 1, min(maxZoom, Self.exactZoom)))
    }

    /// The zoom at which 2^16 units a tile, the most possible, are 15 cm each.
    private static let exactZoom = 12

    /// The margin in pixels of a 512-pixel tile. MapLibre cuts clusters with one as wide as their
    /// radius, and other data with `buffer`. Here it is less than a quarter of a tile.
    var buffer: Double {
        let wanted = isClustered ? radius : node.part("buffer")?.value.asNumber ?? 128
        return min(wanted, Self.widestBuffer)
    }

    private static let widestBuffer = 127.0

    /// What the tiles cannot do that the live source did.
    var remarks: [String] {
        var remarks: [String] = []
        if isClustered, radius > Self.widestBuffer {
            remarks.append(
                "\(name): tiles overlap by 127 pixels; live they overlap by the radius")
        }
        if isClustered, clusterMaxZoom == 0 {
            remarks.append(
                "\(name): clusterMaxZoom 0 means clusters at zoom 0 only; some versions of "
                    + "MapLibre ignored it")
        }
        if isClustered, generatesIDs, node.part("promoteId") == nil {
            remarks.append(
                "\(name): points have the ids that generateId gave them, some of which clusters "
                    + "have too; feature states need promoteId to tell them apart")
        }
        if let filter = node.part("filter")?.value, Expression.isLegacyFilter(filter) {
            remarks.append(
                "\(name): its filter has the syntax from before expressions; it is read as such here, "
                    + "and as an expression live")
        }
        return remarks
            + orderedProperties.map { property in
                "\(name): how clusterProperties.\(property) is joined depends on the order of points, "
                    + "so its values may differ from live ones"
            }
    }

    /// Cluster properties whose values depend on the order in which points are merged.
    private var orderedProperties: [String] {
        let properties = (try? node.part("clusterProperties")?.members) ?? []
        return properties.compactMap { key, node in
            let property = try? ClusterProperty(name: key, json: node.value)
            return property?.dependsOnOrder ?? false ? key : nil
        }
    }

    /// Whether the data holds only points, as far as it can be seen here.
    var mayBePoints: Bool {
        guard let inlineData else { return true }
        let features = inlineData.asObject?["features"]?.asArray ?? [inlineData]
        return features.allSatisfy { feature in
            let geometry = feature.asObject?["geometry"] ?? feature
            return ["Point", "MultiPoint"].contains(geometry.asObject?["type"])
        }
    }

    /// The layer of a recipe that gives the same features as the source.
    var layer: Recipe.Layer {
        var layer = Recipe.Layer(name: name, sources: [data.asString ?? file])
        layer.input.filter = node.part("filter")?.value
        layer.input.generateID = generatesIDs
        guard isClustered else {
            layer.clusters = nil
            return layer
        }
        var clusters = ClusterRecipe()
        clusters.options.radius = Radius(radius)
        clusters.options.minPoints = minPoints
        clusters.maxZoom = clusterMaxZoom
        clusters.clusterProperties = node.part("clusterProperties")?.value
        // With these options the same points are clustered as in Supercluster.
        clusters.options.algorithm = .greedy
        clusters.options.order = .input
        clusters.options.wrap = false
        layer.clusters = clusters
        return layer
    }

    /// The source of a style that shows the tiles. Members about how clients see the features stay.
    func vectorSource(url: String) -> JSONValue {
        var source: JSONObject = ["type": "vector", "url": .string(url)]
        if let promoted = node.part("promoteId")?.value { source["promoteId"] = promoted }
        // Live, its clusters never came apart, as no deeper tiles were asked for.
        if isClustered, maxZoom <= clusterMaxZoom { source["maxzoom"] = .integer(Int64(maxZoom)) }
        return .object(source)
    }
}

extension Double? {
    fileprivate var nonZero: Double? { self == 0 ? nil : self }
}
