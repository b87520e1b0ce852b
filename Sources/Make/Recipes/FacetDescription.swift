import ArchiveContract
import Clustering
import JSON

extension ClusterDescription.Facet {
    /// A layout in the form of an archive's description.
    package init(_ layout: FacetLayout, zone: String? = nil) {
        let facet = layout.facet
        self.init(
            name: facet.name, attribute: facet.attribute,
            axes: zip(facet.axes, layout.axes).map { Axis($0, $1, zone: zone) })
        isRunning = facet.isRunning
        sum = facet.sum
    }
}

extension ClusterDescription.Facet.Axis {
    fileprivate init(_ axis: Facet.Axis, _ known: FacetLayout.Axis, zone: String?) {
        self.init(attribute: axis.carriedBy, values: known.values)
        areNumbers = known.areNumbers
        otherValues = known.otherValues
        hasNone = known.hasNone
        switch axis.kind {
        case .values: break
        case .breaks(let numbers): breaks = numbers
        case .date(let word):
            (source, unit) = (axis.attribute, word.rawValue)
            self.zone = zone
        }
    }
}

extension Recipe {
    /// The facets by whose values points of each layer are counted.
    package func facets() throws -> [[Facet]] {
        try layers.map { try $0.clusters?.parsedFacets() ?? [] }
    }
}

extension Recipe.Layer {
    /// The layouts of the layer's facets that an archive or a plan states.
    package func layouts(_ node: JSONNode) throws -> [FacetLayout] {
        let facets = try clusters?.parsedFacets() ?? []
        let told = try node.elements.map { try ClusterDescription.Facet($0) }
        guard told.map(\.name) == facets.map(\.name) else {
            throw node.wrong("the facets of the recipe")
        }
        return try zip(facets, told).map { facet, told in
            try FacetLayout(
                facet,
                axes: told.axes.map {
                    .init(
                        values: $0.values, areNumbers: $0.areNumbers, otherValues: $0.otherValues,
                        hasNone: $0.hasNone)
                })
        }
    }
}
