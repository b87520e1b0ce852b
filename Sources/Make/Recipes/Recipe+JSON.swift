import JSON
import PointInput
import Points

extension Recipe {
    /// Reads a recipe; throws all its problems together, as one `RecipeError`.
    public init(reading node: JSONNode) throws {
        var problems = RecipeProblems()
        guard node.value.asObject != nil else {
            throw RecipeError(problems: ["\(node.wrong("an object"))"])
        }
        about = About(reading: node, besides: ["$schema", "tiles", "layers"], &problems)
        if let tiles = node.part("tiles") {
            self.tiles = TileOptions(reading: tiles, &problems)
            self.tiles.check(at: tiles, &problems)
        }
        let list = problems.gather { try node.required("layers").elements } ?? []
        if list.isEmpty, let empty = node.part("layers"), empty.value.asArray != nil {
            _ = problems.gather { throw empty.wrong("at least one layer") }
        }
        for layer in list {
            guard let read = Layer(reading: layer, &problems) else { continue }
            read.check(at: layer, beside: layers, tiles, &problems)
            layers.append(read)
        }
        try problems.finish()
    }

    /// The recipe as a document, without default values.
    public var json: JSONValue { json(withDefaults: false) }

    /// The recipe as a document, with or without default values.
    public func json(withDefaults: Bool) -> JSONValue {
        var members = about.members(withDefaults: withDefaults)
        let tiles = self.tiles.members(withDefaults: withDefaults)
        if !tiles.isEmpty {
            members.append(.init(key: "tiles", value: .object(JSONObject(tiles))))
        }
        let layers = self.layers.map { $0.json(withDefaults: withDefaults) }
        members.append(.init(key: "layers", value: .array(layers)))
        return .object(JSONObject(members))
    }
}

extension Recipe.Layer {
    /// Reads a layer; nil if it has no name or no sources.
    init?(reading node: JSONNode, _ problems: inout RecipeProblems) {
        let input = InputRecipe(
            reading: node, besides: ["name", "sources", "clusters"], &problems)
        // A value that is not an object has been reported already.
        guard node.value.asObject != nil else { return nil }
        let name = problems.gather { try node.required("name").string.composed }
        let sources = problems.gather {
            try node.required("sources").elements.map { try $0.string }
        }
        self.init(name: name ?? "", sources: sources ?? [])
        self.input = input
        switch node.part("clusters") {
        case nil: break
        case let part? where part.value == false: clusters = nil
        case let part? where part.value.asObject == nil:
            _ = problems.gather { throw part.wrong("an object, or false") }
        case let part?: clusters = ClusterRecipe(reading: part, &problems)
        }
        if input.regions != nil, clusters?.options.groupBy == nil {
            clusters?.options.groupBy = Regions.attribute
        }
        if name == nil || sources == nil { return nil }
    }

    func json(withDefaults: Bool) -> JSONValue {
        var members: [JSONObject.Member] = [
            .init(key: "name", value: .string(name)),
            .init(key: "sources", value: .array(sources.map(JSONValue.string))),
        ]
        members += input.members(withDefaults: withDefaults)
        if let clusters {
            let inside = clusters.members(withDefaults: withDefaults)
            if !inside.isEmpty {
                members.append(.init(key: "clusters", value: .object(JSONObject(inside))))
            }
        } else {
            members.append(.init(key: "clusters", value: false))
        }
        return .object(JSONObject(members))
    }
}

extension JSONNode {
    /// The member of that key, if this is an object that has it.
    func part(_ key: String) -> JSONNode? { (try? member(key)) ?? nil }
}
