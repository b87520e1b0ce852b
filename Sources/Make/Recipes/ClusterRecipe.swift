import ArchiveContract
import Clustering
import JSON

/// How a layer's points are clustered, and what its clusters carry.
public struct ClusterRecipe: Sendable {
    /// All that the engine itself is told, but for the deepest zoom and the aggregates.
    public var options = ClusterOptions()
    /// Whether the world is to be a whole number of cells of the grid.
    public var gridFit = false
    /// Whether clusters form; where none do, bins may carry what is asked for.
    public var areFormed = true
    /// The deepest zoom with clusters; nil is one above the deepest of the tiles.
    public var maxZoom: Int?
    /// The attribute by which points weigh.
    public var weight: String?
    /// In the order in which clusters get them.
    public var aggregates: [Aggregation] = []
    /// What points are counted by within each cluster, as it is written.
    public var facets: [String] = []
    /// The zone whose days and months are meant; nil is UTC.
    public var facetZone: String?
    /// MapLibre's `clusterProperties`, as they are written.
    public var clusterProperties: JSONValue?
    /// The letters of abbreviated counts.
    public var countLetters = AbbreviatedCount.Letters.small
    /// What clusters carry on request.
    public var fields: [ClusterAttribute] = []

    public init() { options.reservedNames = ClusterAttribute.names }

    /// The radius that the engine is told.
    public var usedRadius: Radius {
        gridFit && options.algorithm == .grid ? options.radius.fittedToWorld : options.radius
    }
}
