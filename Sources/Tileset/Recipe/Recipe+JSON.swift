import JSON

extension Recipe {
    /// Reads a recipe; whatever is wrong with it is thrown with its path.
    public init(reading node: JSONNode) throws {
        let others = ["$schema", "tiles", "layers"]
        about = try About(reading: node, besides: others)
        if let tiles = try node.member("tiles") { self.tiles = try TileOptions(reading: tiles) }
        for layer in try node.required("layers").elements {
            layers.append(try Layer(reading: layer))
        }
        try check(at: node)
    }

    /// What no single key can know.
    private func check(at node: JSONNode) throws {
        let list = try node.required("layers")
        guard !layers.isEmpty else { throw list.wrong("at least one layer") }
        for (index, layer) in layers.enumerated() {
            let name = try list.elements[index].required("name")
            if layer.name.isEmpty { throw name.wrong("a name") }
            if layers[..<index].contains(where: { $0.name == layer.name }) {
                throw name.wrong("a name that no other layer has")
            }
        }
        if let deepest = tiles.maxZoom, deepest < tiles.minZoom, let tiles = try node.member("tiles") {
            throw try tiles.required("maxZoom").wrong("minZoom (\(self.tiles.minZoom)) or more")
        }
    }

    /// The recipe as a document, without what is as it is by default.
    public var json: JSONValue {
        var members = about.members
        let tiles = self.tiles.members
        if !tiles.isEmpty {
            members.append(.init(key: "tiles", value: .object(JSONObject(tiles))))
        }
        members.append(.init(key: "layers", value: .array(layers.map(\.json))))
        return .object(JSONObject(members))
    }
}

extension Recipe.Layer {
    init(reading node: JSONNode) throws {
        name = try node.required("name").string
        let list = try node.required("sources")
        sources = try list.elements.map { try $0.string }
        if sources.isEmpty { throw list.wrong("at least one file or URL") }
        input = try InputRecipe(reading: node, besides: ["name", "sources", "clusters"])
        switch try node.member("clusters") {
        case nil: clusters = ClusterRecipe()
        case let member? where member.value == false: clusters = nil
        case let member?: clusters = try ClusterRecipe(reading: member)
        }
    }

    var json: JSONValue {
        var members: [JSONObject.Member] = [
            .init(key: "name", value: .string(name)),
            .init(key: "sources", value: .array(sources.map(JSONValue.string))),
        ]
        members += input.members
        if let clusters {
            let inside = clusters.members
            if !inside.isEmpty {
                members.append(.init(key: "clusters", value: .object(JSONObject(inside))))
            }
        } else {
            members.append(.init(key: "clusters", value: false))
        }
        return .object(JSONObject(members))
    }
}
