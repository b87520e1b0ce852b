import JSON

extension ClusterDescription {
    /// The description as the metadata have it.
    public var json: JSONValue {
        var object = JSONObject()
        object["format"] = .integer(blocks?.chapterSize == nil ? Self.undivided : Self.format)
        object["layers"] = .array(layers.map(\.json))
        object["buffer"] = JSONValue(canonical: buffer)
        object["extent"] = extent.map(JSONValue.integer)
        if variableDepth > 0 { object["variableDepth"] = .integer(Int64(variableDepth)) }
        object[Blocks.name] = blocks?.json
        return .object(isPart ? Self.part(of: object) : object)
    }

    /// A description as metadata have it, without what does not hold for the tiles that touch a box: how many points
    /// and clusters there are.
    package static func part(of whole: JSONObject) -> JSONObject {
        var part = whole
        let counts: [ContractNumber<Int64>] = [.first, .leaves, .clusters]
        let layers = whole["layers"]?.asArray?.compactMap(\.asObject) ?? []
        part["layers"] = .array(
            layers.map { layer in
                let members = layer.members.filter { member in
                    !counts.contains { $0.name == member.key }
                }
                return .object(JSONObject(members))
            })
        part[partName] = true
        return part
    }
}

extension ClusterDescription.Blocks {
    public var json: JSONValue {
        var object = JSONObject()
        object["count"] = .integer(count)
        object["pages"] = .integer(pages)
        object["outlines"] = .integer(outlines)
        object[ContractNumber.chapterSize.name] = chapterSize.map(JSONValue.integer)
        object["hash"] = .string(hash)
        return .object(object)
    }
}

extension ClusterDescription.Layer {
    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["name"] = .string(name)
        object["first"] = .integer(leaves.lowerBound)
        object["leaves"] = .integer(leaves.upperBound - leaves.lowerBound)
        object["clusters"] = clusterCount.map(JSONValue.integer)
        object[ContractNumber.leavesInBlock.name] = leavesInBlock.map(JSONValue.integer)
        object["minZoom"] = .integer(Int64(minZoom))
        object["maxZoom"] = .integer(Int64(maxZoom))
        object["carries"] = carries.map { .array($0.map(JSONValue.string)) }
        object["heatMaxZoom"] = heatMaxZoom.map { .integer(Int64($0)) }
        if !facets.isEmpty { object["facets"] = .array(facets.map(\.json)) }
        object[ClusterDescription.LayerBins.name] = bins?.json
        object["spread"] = spread.map(JSONValue.init(canonical:))
        guard let clustering else {
            object["clustered"] = false
            return .object(object)
        }
        object["heldMaxZoom"] = clustering.heldMaxZoom.map { .integer(Int64($0)) }
        object["radius"] = clustering.radius.json
        object["minPoints"] = .integer(clustering.minPoints)
        object["algorithm"] = .string(clustering.algorithm)
        object["wrap"] = .bool(clustering.wrap)
        if clustering.keepCoincident { object["keepCoincident"] = true }
        if clustering.minUniqueLocations > 1 {
            object["minUniqueLocations"] = .integer(clustering.minUniqueLocations)
        }
        object["groupBy"] = clustering.groupBy.map(JSONValue.string)
        if clustering.countLetters != .small {
            object["countLetters"] = .string(clustering.countLetters.rawValue)
        }
        object["groups"] = .integer(clustering.groups)
        object[ContractNumber.fineness.name] = .integer(Int64(clustering.fineness))
        return .object(object)
    }
}

extension RadiusByZoom {
    /// A single number, or one for each stop.
    fileprivate var json: JSONValue {
        guard stops.count > 1 || stops[0].zoom != 0 else {
            return JSONValue(canonical: stops[0].pixels)
        }
        return .object(
            JSONObject(
                stops.map { .init(key: "\($0.zoom)", value: JSONValue(canonical: $0.pixels)) }))
    }
}
