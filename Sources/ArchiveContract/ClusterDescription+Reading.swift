import JSON

extension ClusterDescription {
    /// Reads the account of an archive, of this or an earlier format.
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
        // Ids of format 1 are packed keys.
        var ids = ClusterIDs.withoutBase
        if format >= 2 {
            let base = try node.required("idBase")
            guard let based = ClusterIDs(base: try base.integer) else {
                throw base.wrong("a multiple of 32 below 2^53")
            }
            ids = based
        }
        let buffer = try node.member("buffer")?.number ?? 8
        guard (0...256).contains(buffer) else {
            throw try node.required("buffer").wrong("a margin of at most half a tile")
        }
        var layers: [Layer] = []
        for layer in try node.required("layers").elements { layers.append(try Layer(layer)) }
        self.init(
            layers: layers, buffer: buffer, extent: try node.member("extent")?.integer, ids: ids)
        variableDepth = try node.member("variableDepth")?.integer(in: 0...31) ?? 0
        if let size = try node.member("leavesInBlock") {
            guard let layout = LeafBlockLayout(leavesPerBlock: try size.integer) else {
                throw size.wrong("a number of points up to \(LeafBlockLayout.mostLeaves)")
            }
            blockLayout = layout
        }
        if let blocks = try node.member(Blocks.name) {
            self.blocks = Blocks(
                count: try blocks.required("count").integer,
                hash: try blocks.required("hash").string)
        }
    }
}

extension ClusterDescription.Layer {
    fileprivate init(_ node: JSONNode) throws(JSONError) {
        let first = try node.required("first").integer
        let count = try node.required("leaves").integer
        let (end, isTooLarge) = first.addingReportingOverflow(count)
        guard first >= 0, count >= 0, !isTooLarge, end < ClusterKey.leafLimit else {
            throw try node.required("leaves").wrong("a count of points")
        }
        let isClustered = try node.member("clustered")?.bool ?? true
        self.init(
            name: try node.required("name").string, leaves: first..<end,
            clusterCount: try node.member("clusters")?.integer,
            minZoom: try node.member("minZoom")?.integer(in: 0...31) ?? 0,
            maxZoom: try node.member("maxZoom")?.integer(in: -1...31) ?? -1,
            clustering: isClustered ? try .init(node) : nil)
        heatMaxZoom = try node.member("heatMaxZoom")?.integer(in: 0...31)
        spread = try node.member("spread")?.number
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
        minPoints = try node.member("minPoints")?.integer ?? minPoints
        wrap = try node.member("wrap")?.bool ?? wrap
        keepCoincident = try node.member("keepCoincident")?.bool ?? keepCoincident
        minUniqueLocations = try node.member("minUniqueLocations")?.integer ?? minUniqueLocations
        groups = try node.member("groups")?.integer ?? groups
        groupBy = try node.member("groupBy")?.string
        if let letters = try node.member("countLetters") {
            guard let known = AbbreviatedCount.Letters(rawValue: try letters.string) else {
                throw letters.wrong("k, K or none")
            }
            countLetters = known
        }
        heldMaxZoom = try node.member("heldMaxZoom")?.integer(in: 0...31)
    }
}

extension RadiusByZoom {
    fileprivate init(_ node: JSONNode) throws(JSONError) {
        guard case .object = node.value else {
            self.init(try node.number)
            return
        }
        var stops: [(zoom: Int, pixels: Double)] = []
        for (key, node) in try node.members {
            guard let zoom = Int(key) else { throw node.wrong("a radius under a zoom") }
            stops.append((zoom, try node.number))
        }
        guard let radius = RadiusByZoom(stops: stops) else { throw node.wrong("a radius") }
        self = radius
    }
}
