import ArchiveContract
import Clustering
import JSON

/// How a layer's points are clustered, and what its clusters carry.
public struct ClusterRecipe: Sendable {
    /// The options of the engine, without the deepest zoom and the aggregates.
    public var options = ClusterOptions()
    /// Whether the radius is adjusted so that the world is a whole number of cells of the grid.
    public var gridFit = false
    /// Whether clusters are formed; if not, bins may carry what is asked for.
    public var areFormed = true
    /// The deepest zoom with clusters; nil means one above the deepest tiles.
    public var maxZoom: Int?
    /// The attribute with the weights of points.
    public var weight: String?
    /// The aggregates, in the order in which clusters get them.
    public var aggregates: [Aggregation] = []
    /// The attributes by whose values points are counted within each cluster, as they are written.
    public var facets: [String] = []
    /// The time zone of days and months; nil means UTC.
    public var facetZone: String?
    /// MapLibre's `clusterProperties`, as they are written.
    public var clusterProperties: JSONValue?
    /// The letters of abbreviated counts.
    public var countLetters = AbbreviatedCount.Letters.small
    /// The attributes that clusters carry on request.
    public var fields: [ClusterAttribute] = []

    public init() { options.reservedNames = ClusterAttribute.names }

    /// The radius that the engine gets.
    public var usedRadius: Radius {
        gridFit && options.algorithm == .grid ? options.radius.fittedToWorld : options.radius
    }
}
