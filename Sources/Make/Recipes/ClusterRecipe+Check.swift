import ArchiveContract
import Clustering
import Expressions
import JSON
import PointInput

extension ClusterRecipe {
    /// Notes what the engine would refuse.
    func check(at path: JSONPath, _ tiles: TileOptions, _ problems: inout RecipeProblems) {
        checkZooms(at: path["maxZoom"], tiles, &problems)
        if !areFormed, tiles.bins == nil {
            problems.note(
                "without clusters and bins nothing carries what is asked for; \"clusters\": false draws "
                    + "all points", at: path["formed"])
        }
        if !areFormed, options.keepCoincident {
            problems.note(
                "makes clusters of what is at one place, and the layer has none; leave it out",
                at: path["keepCoincident"])
        }
        if gridFit, options.algorithm != .grid {
            problems.note(
                "only cells of a grid can be fitted to the world; add algorithm \"grid\", or leave "
                    + "it out", at: path["gridFit"])
        }
        var options = options
        options.radius = usedRadius
        if tiles.bins?.shape == .square { options.reservedNames.insert(Bins.quadbin) }
        for aggregate in aggregates {
            let location = path["aggregates"][aggregate.name]
            let parsed = problems.gather(at: location) { try aggregate.parsed(at: location) }
            if let parsed { options.aggregates.append(parsed) }
        }
        checkFacets(at: path, &options, &problems)
        options.clusterProperties = problems.gather { try parsedClusterProperties(at: path) } ?? []
        options.minZoom = Int(tiles.minZoom)
        // Clusters end one zoom above the deepest tiles, unless the recipe says otherwise.
        let deepest = maxZoom ?? tiles.maxZoom.map { Int($0) - 1 } ?? options.maxZoom
        options.maxZoom = max(deepest, options.minZoom)
        _ = problems.gather(at: path) { try options.validate() }
    }

    private func checkFacets(
        at path: JSONPath, _ options: inout ClusterOptions, _ problems: inout RecipeProblems
    ) {
        for (index, text) in facets.enumerated() {
            let facet = problems.gather(at: path["facets"][index]) { try Facet(parsing: text) }
            // Only their names are checked, so any value will do.
            let blank = facet.map { facet in facet.axes.map { _ in FacetLayout.Axis(values: [""]) }
            }
            guard let facet, let blank, let layout = try? FacetLayout(facet, axes: blank) else {
                continue
            }
            options.facets.append(layout)
        }
        guard let facetZone else { return }
        _ = problems.gather(at: path["facetZone"]) { try ZoneTable.named(facetZone) }
        if let labels = try? dateLabels(), labels.isEmpty {
            problems.note(
                "no facet counts moments, as \"date:month\" does, so there is nothing to have a zone for",
                at: path["facetZone"])
        }
    }

    private func checkZooms(
        at path: JSONPath, _ tiles: TileOptions, _ problems: inout RecipeProblems
    ) {
        guard let maxZoom else { return }
        if let deepest = tiles.maxZoom, maxZoom > deepest {
            problems.note("there are no tiles past tiles.maxZoom, \(deepest)", at: path)
        }
        if maxZoom < tiles.minZoom {
            problems.note(
                "no tile would have a cluster, for they start at tiles.minZoom, "
                    + "\(tiles.minZoom); \"clusters\": false says so", at: path)
        }
    }

    /// Notes attributes that are asked for but that reading leaves out.
    func checkReferences(
        at path: JSONPath, to input: InputRecipe, _ problems: inout RecipeProblems
    ) {
        for (attribute, location) in attributes(at: path) + attributesInExpressions(at: path) {
            if let reason = input.absence(of: attribute) { problems.note(reason, at: location) }
        }
    }

    /// The attributes of points that are named here, and their paths.
    func attributes(at path: JSONPath) -> [(attribute: String, at: JSONPath)] {
        var found: [(String, JSONPath)] = []
        if let weight { found.append((weight, path["weight"])) }
        if let groupBy = options.groupBy { found.append((groupBy, path["groupBy"])) }
        for (index, name) in options.inherit.enumerated() {
            found.append((name, path["inherit"][index]))
        }
        switch options.position {
        case .max(let name): found.append((name, path["position"]["max"]))
        case .min(let name): found.append((name, path["position"]["min"]))
        case .centroid, .anchor, .nearest: break
        }
        for (index, text) in facets.enumerated() {
            guard let facet = try? Facet(parsing: text) else { continue }
            for name in facet.axes.map(\.attribute) + [facet.sum].compactMap(\.self) {
                found.append((name, path["facets"][index]))
            }
        }
        for aggregate in (try? parsedAggregates()) ?? [] {
            guard case .attribute(let name) = aggregate.source else { continue }
            found.append((name, path["aggregates"][aggregate.name]))
        }
        return found
    }

    func attributesInExpressions(
        at path: JSONPath
    ) -> [(attribute: String, at: JSONPath)] {
        var found: [(String, JSONPath)] = []
        for aggregate in (try? parsedAggregates()) ?? [] {
            guard case .expression(let expression) = aggregate.source else { continue }
            let location = path["aggregates"][aggregate.name]
            found += expression.attributeNames.map { ($0, location) }
        }
        for property in (try? parsedClusterProperties()) ?? [] {
            let location = path["clusterProperties"][property.name]
            found += property.map.attributeNames.map { ($0, location) }
        }
        return found
    }
}
