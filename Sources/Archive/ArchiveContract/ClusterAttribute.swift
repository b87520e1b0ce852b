/// An attribute that a cluster's feature gets from the clustering itself, besides its aggregates. This is the
/// only place that names these attributes.
public enum ClusterAttribute: String, CaseIterable, Sendable {
    /// True: the feature stands for several points.
    case cluster
    /// The id of the cluster, also that of its feature.
    case clusterID = "cluster_id"
    /// How many points the cluster stands for.
    case pointCount = "point_count"
    /// The count as a short text for a marker, such as 1.2k.
    case pointCountAbbreviated = "point_count_abbreviated"
    /// The first zoom at which the cluster comes apart.
    case expansionZoom = "expansion_zoom"
    /// The sum of the points' weights.
    case pointWeight = "point_weight"
    /// The square root of the count, to two decimals.
    case sqrtPointCount = "sqrt_point_count"
    /// West, south, east and north of the points, as JSON.
    case bbox
    /// True if all points are at one place; otherwise absent.
    case uniqueLocation = "unique_location"
    /// The id of the cluster that it becomes part of; a root has none.
    case parent
    /// How far east of it its parent is, in pixels of the first zoom that draws it.
    case parentDX = "parent_dx"
    /// How far south of it its parent is, in the same pixels.
    case parentDY = "parent_dy"

    public var name: String { rawValue }

    /// Whether clusters carry it only if `clusters.fields` of a recipe lists it.
    public var isOnRequest: Bool {
        switch self {
        case .cluster, .clusterID, .pointCount, .pointCountAbbreviated, .expansionZoom: false
        default: true
        }
    }

    /// The attributes that have to be asked for, in the order of the list.
    public static let onRequest = allCases.filter(\.isOnRequest)
    /// The attributes that describe a cluster's parent.
    public static let ofParents: Set<ClusterAttribute> = [.parent, .parentDX, .parentDY]
    /// Names that nothing else on a cluster may have.
    public static let names = Set(allCases.map(\.name))
    /// Names that no attribute of points may have either, or points could pass for clusters. Common words in data
    /// are free, unless they are asked for.
    public static let namesReservedInPoints = allCases.filter { !ofParents.contains($0) }.map(
        \.name)
}
