import ArchiveContract
import Expressions
import JSON
import PointInput
import Spelling

// Checks that concern several keys: combinations of keys, and references to attributes.

extension TileOptions {
    func check(at node: JSONNode, _ problems: inout RecipeProblems) {
        if binsMaxZoom != nil, bins == nil {
            problems.note("there are no bins; add \"bins\"", at: node.path["binsMaxZoom"])
        }
        if let binsMaxZoom, binsMaxZoom < minZoom {
            let found = node.part("binsMaxZoom") ?? node
            _ = problems.gather { throw found.wrong("minZoom (\(minZoom)) or more") }
        }
        if bins != nil, minZoom > Bins.deepestZoom {
            problems.note(
                "there are no bins past zoom \(Bins.deepestZoom), and tiles start at \(minZoom)",
                at: node.path["bins"])
        }
        if let binsMaxZoom, let maxZoom, binsMaxZoom > maxZoom {
            problems.note(
                "there are no tiles past tiles.maxZoom, \(maxZoom)", at: node.path["binsMaxZoom"])
        }
        if variableDepth, spread != nil || heat || bins != nil {
            let shown = heat ? "heat" : spread != nil ? "spread" : "bins"
            problems.note(
                "tiles with \(shown) show what their ancestors do not, and "
                    + "tiles.variableDepth leaves out those that do; leave one out",
                at: node.path["variableDepth"])
        }
        guard let maxZoom else { return }
        if maxZoom < minZoom {
            let found = node.part("maxZoom") ?? node
            _ = problems.gather { throw found.wrong("minZoom (\(minZoom)) or more") }
        }
        if precision != nil {
            problems.note(
                "maxZoom says how deep the tiles go, and so how precise they are; leave one out",
                at: node.path["precision"])
        }
    }
}

extension Recipe {
    /// Refuses references to attributes that no point has, once the points have been read.
    ///
    /// Expressions may refer to missing attributes: they can say what to do then.
    package func checkReferences(to attributes: [String]) throws(RecipeError) {
        var problems = RecipeProblems()
        let known = Set(attributes)
        for (index, layer) in layers.enumerated() {
            let path = JSONPath.root["layers"][index]
            let named =
                layer.input.attributes(at: path)
                + (layer.clusters?.attributes(at: path["clusters"]) ?? [])
            // Points are weighed as they are read, before attributes are renamed or dropped.
            let weight = layer.input.reservedNames == .refuse ? nil : layer.clusters?.weight
            for (attribute, location) in named where !known.contains(attribute) {
                if attribute == weight, ClusterAttribute.names.contains(attribute) { continue }
                let nearest = attributes.sorted().nearest(to: attribute)
                problems.note(
                    "no point has \"\(attribute)\""
                        + (nearest.map { "; did you mean \"\($0)\"?" } ?? ""), at: location)
            }
        }
        try problems.finish()
    }
}

extension Recipe.Layer {
    /// The attributes of points that it names.
    package var attributeNames: Set<String> {
        let root = JSONPath.root
        let named =
            input.attributes(at: root) + (clusters?.attributes(at: root) ?? [])
            + (clusters?.attributesInExpressions(at: root) ?? [])
        return Set(named.map(\.attribute))
    }

    /// The names of layers that it has in tiles, including its companion layers.
    fileprivate func names(in tiles: TileOptions) -> [String] {
        var names = [name]
        if tiles.heat, clusters != nil { names.append(CompanionLayer.heat.name(beside: name)) }
        if tiles.spread != nil { names.append(CompanionLayer.legs.name(beside: name)) }
        if tiles.bins != nil { names.append(CompanionLayer.bins.name(beside: name)) }
        return names
    }

    func check(
        at node: JSONNode, beside others: [Recipe.Layer], _ tiles: TileOptions,
        _ problems: inout RecipeProblems
    ) {
        _ = problems.gather {
            let name = try node.required("name")
            if self.name.isEmpty { throw name.wrong("a name") }
            let taken = others.flatMap { $0.names(in: tiles) }
            if !Set(taken).isDisjoint(with: names(in: tiles)) {
                throw name.wrong("a name that no other layer has")
            }
            let list = try node.required("sources")
            if sources.isEmpty { throw list.wrong("at least one file or URL") }
            for source in try list.elements { _ = try source.fileName }
        }
        if others.count == PlaceID.mostLayers {
            problems.note(
                "an archive has at most \(PlaceID.mostLayers) layers; read all files into one (-l NAME), or "
                    + "build another archive for the rest",
                at: node.path)
        }
        if files.contains("-"), others.contains(where: { $0.files.contains("-") }) {
            problems.note(
                "another layer reads standard input already; it can be read once",
                at: node.path["sources"])
        }
        if files.count(where: { $0 == "-" }) > 1 {
            problems.note(
                "standard input can be read once; name a file for the others",
                at: node.path["sources"])
        }
        checkTogether(at: node, tiles, &problems)
    }

    /// Checks what parts of the layer, and options of the tiles, ask of each other.
    private func checkTogether(
        at node: JSONNode, _ tiles: TileOptions, _ problems: inout RecipeProblems
    ) {
        checkBins(in: tiles, &problems)
        input.check(at: node.path, &problems)
        clusters?.check(at: node.path["clusters"], tiles, &problems)
        if tiles.spread != nil, clusters?.options.keepCoincident == true {
            problems.note(
                "keeps points at one place together, and tiles.spread draws them "
                    + "apart; leave one out", at: node.path["clusters"]["keepCoincident"])
        }
        if input.regions != nil, let name = clusters?.options.groupBy, name != Regions.attribute {
            problems.note(
                "regions keep points apart by \"\(Regions.attribute)\", and there is one attribute that does; "
                    + "leave one out", at: node.path["clusters"]["groupBy"])
        }
        clusters?.checkReferences(at: node.path["clusters"], to: input, &problems)
    }

    /// Bins in the place of clusters leave the deepest zoom to the points.
    private func checkBins(in tiles: TileOptions, _ problems: inout RecipeProblems) {
        guard !isClustered, tiles.bins != nil, let deepest = tiles.maxZoom,
            (tiles.binsMaxZoom ?? Int(tiles.minZoom)) == deepest
        else { return }
        let key = tiles.binsMaxZoom == nil ? "bins" : "binsMaxZoom"
        problems.note(
            "without clusters, points need a zoom past the bins', and tiles.maxZoom is \(deepest)",
            at: JSONPath.root["tiles"][key])
    }
}

extension InputRecipe {
    func check(at path: JSONPath, _ problems: inout RecipeProblems) {
        if let filter {
            _ = problems.gather {
                try Expression(parsing: filter, at: path["filter"], as: .filter)
            }
        }
        for (index, name) in exclude.enumerated() where include?.contains(name) ?? false {
            problems.note(
                "\"\(name)\" is also in include; leave it out of one of them",
                at: path["exclude"][index])
        }
        if case .attribute(let name) = dedupe, let reason = absence(of: name) {
            problems.note(reason, at: path["dedupe"])
        }
        if regionName != nil, regions == nil {
            problems.note("there are no regions; add \"regions\"", at: path["regionName"])
        }
        if id != nil, generateID {
            problems.note(
                "id and generateId each say what the ids are; leave one out",
                at: path["generateId"])
        }
        if table != nil, sql != nil {
            problems.note("table and sql each say what to read; leave one out", at: path["sql"])
        }
        if (x == nil) != (y == nil) {
            problems.note(
                "name x and y, or a column of geometries twice", at: path[x == nil ? "y" : "x"])
        }
    }

    /// The attributes of points that are asked for here, and their paths. Attributes in `exclude`
    /// and `types` may be missing.
    func attributes(at path: JSONPath) -> [(attribute: String, at: JSONPath)] {
        var found = id.map { [($0, path["id"])] } ?? []
        found += (include ?? []).enumerated().map { ($1, path["include"][$0]) }
        // The table is joined before attributes are left out.
        if let join, absence(of: join.column) == nil { found.append((join.column, path["join"])) }
        if case .attribute(let name) = dedupe { found.append((name, path["dedupe"])) }
        return found
    }

    /// Why points do not have that attribute because of this recipe; nil if they may have it.
    func absence(of attribute: String) -> String? {
        if regions != nil, attribute == Regions.attribute { return nil }
        if attribute == id { return "\"\(attribute)\" becomes the feature id; it is no attribute" }
        if exclude.contains(attribute) { return "\"\(attribute)\" is left out by exclude" }
        guard let include, !include.contains(attribute) else { return nil }
        let nearest = include.nearest(to: attribute).map { "; did you mean \"\($0)\"?" }
        return "\"\(attribute)\" is not among include" + (nearest ?? "")
    }
}
