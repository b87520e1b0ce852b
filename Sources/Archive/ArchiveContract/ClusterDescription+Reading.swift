import JSON

extension ClusterDescription {
    /// Reads the description in an archive, of this or an earlier format.
    public init(_ json: JSONValue) throws(DescriptionError) {
        let node = JSONNode(json)
        let format: Int64
        do {
            format = try node.required("format").integer
        } catch {
            throw .garbled(error)
        }
        guard format <= Self.format else { throw .newerFormat(format) }
        do {
            try self.init(node, format: format)
        } catch {
            throw .garbled(error)
        }
    }

    private init(_ node: JSONNode, format: Int64) throws(JSONError) {
        guard format >= 1 else { throw try node.required("format").wrong("a format from 1 on") }
        let isPart = try node.member(Self.partName)?.bool ?? false
        self.init(
            layers: try Self.layers(try node.required("layers"), of: isPart),
            buffer: try node.member(.buffer) ?? 8, extent: try node.member(.extent),
            ids: try Self.ids(node, format: format))
        if ids == .placed, layers.count > PlaceID.mostLayers {
            throw try node.required("layers").wrong("at most \(PlaceID.mostLayers) layers")
        }
        self.format = format
        self.isPart = isPart
        variableDepth = try node.zoom(.variableDepth) ?? 0
        equalBlocks = try node.member(.leavesInBlock) ?? equalBlocks
        if let blocks = try node.member(Blocks.name) {
            self.blocks = Blocks(
                count: try blocks.required(.blockCount), pages: try blocks.member(.pageCount) ?? 0,
                outlines: try blocks.member(.outlineCount) ?? 0,
                chapterSize: try blocks.member(.chapterSize),
                hash: try blocks.required("hash").string)
        }
    }

    private static func ids(_ node: JSONNode, format: Int64) throws(JSONError) -> ClusterIDs {
        guard format < 3 else { return .placed }
        // In format 1, ids are packed keys.
        guard format == 2 else { return .withoutBase }
        guard let based = ClusterIDs(base: try node.required(.idBase)) else {
            throw try node.required("idBase").wrong("a multiple of 32 below 2^53")
        }
        return based
    }

    /// The most layers of an archive: each is checked for every point.
    static let mostLayers = 4_096

    private static func layers(
        _ node: JSONNode, of isPart: Bool
    ) throws(JSONError) -> [Layer] {
        let elements = try node.elements
        guard elements.count <= mostLayers else {
            throw node.wrong("at most \(mostLayers) layers")
        }
        var layers: [Layer] = []
        var count: Int64 = 0
        for element in elements {
            let layer = try Layer(element, hasLeaves: !isPart)
            count += layer.leaves.upperBound - layer.leaves.lowerBound
            guard ContractNumber.leaves.holds(count) else {
                throw try element.required("leaves").wrong("a count of points")
            }
            layers.append(layer)
        }
        return layers
    }
}

extension ClusterDescription.Layer {
    fileprivate init(_ node: JSONNode, hasLeaves: Bool) throws(JSONError) {
        let first = hasLeaves ? try node.required(.first) : 0
        let end = hasLeaves ? try first + node.required(.leaves) : 0
        guard ContractNumber.leaves.holds(end) else {
            throw try node.required("leaves").wrong("a count of points")
        }
        let isClustered = try node.member("clustered")?.bool ?? true
        self.init(
            name: try node.required("name").string, leaves: first..<end,
            clusterCount: try node.member(.clusters),
            minZoom: try node.zoom(.minZoom) ?? 0, maxZoom: try node.zoom(.maxZoom) ?? -1,
            clustering: isClustered ? try .init(node) : nil)
        leavesInBlock = try node.member(.leavesInBlock)
        heatMaxZoom = try node.zoom(.heatMaxZoom)
        spread = try node.member(.spread)
        bins = try node.member(ClusterDescription.LayerBins.name).map { node throws(JSONError) in
            try ClusterDescription.LayerBins(node)
        }
        if let facets = try node.member("facets") {
            self.facets = try facets.elements.map { facet throws(JSONError) in
                try ClusterDescription.Facet(facet)
            }
        }
        if let carries = try node.member("carries") {
            self.carries = try carries.elements.map { name throws(JSONError) in
                try name.string
            }
        }
    }
}

extension ClusterDescription.Clustering {
    fileprivate init(_ node: JSONNode) throws(JSONError) {
        self.init(
            radius: try RadiusByZoom(node.required("radius")),
            algorithm: try node.required("algorithm").string)
        minPoints = try node.member(.minPoints) ?? minPoints
        wrap = try node.member("wrap")?.bool ?? wrap
        keepCoincident = try node.member("keepCoincident")?.bool ?? keepCoincident
        minUniqueLocations = try node.member(.minUniqueLocations) ?? minUniqueLocations
        groups = try node.member(.groups) ?? groups
        groupBy = try node.member("groupBy")?.string
        fineness = try node.zoom(.fineness) ?? fineness
        if let letters = try node.member("countLetters") {
            guard let known = AbbreviatedCount.Letters(rawValue: try letters.string) else {
                throw letters.wrong("k, K or none")
            }
            countLetters = known
        }
        heldMaxZoom = try node.zoom(.heldMaxZoom)
    }
}

extension RadiusByZoom {
    fileprivate init(_ node: JSONNode) throws(JSONError) {
        guard case .object = node.value else {
            self.init(try node.number(.radius))
            return
        }
        var stops: [(zoom: Int, pixels: Double)] = []
        for (key, node) in try node.members {
            guard let zoom = Int64(key), ContractNumber.radiusZoom.holds(zoom) else {
                throw node.wrong("a radius under a zoom")
            }
            stops.append((Int(zoom), try node.number(.radius)))
        }
        guard let radius = RadiusByZoom(stops: stops) else { throw node.wrong("a radius") }
        self = radius
    }
}
