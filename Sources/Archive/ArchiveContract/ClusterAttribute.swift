/// An attribute that a cluster's feature gets from the clustering itself, besides its aggregates. This is the
/// only place that names these attributes.
public enum ClusterAttribute: String, CaseIterable, Sendable {
    case cluster
    case clusterID = "cluster_id"
    case pointCount = "point_count"
    case pointCountAbbreviated = "point_count_abbreviated"
    case expansionZoom = "expansion_zoom"
    case pointWeight = "point_weight"
    case sqrtPointCount = "sqrt_point_count"
    case bbox
    case uniqueLocation = "unique_location"
    case parent
    case parentDX = "parent_dx"
    case parentDY = "parent_dy"

    public var name: String { rawValue }

    /// The type of its values, as TileJSON names types.
    public enum Kind: String, Sendable {
        case boolean = "Boolean"
        case number = "Number"
        case string = "String"
    }

    /// Which clusters carry it.
    public enum Presence: Sendable {
        case always
        /// Only if `clusters.fields` of a recipe lists it.
        case onRequest
    }

    /// The table: kind, presence, and the meaning in a sentence.
    private var entry: (kind: Kind, presence: Presence, meaning: String) {
        switch self {
        case .cluster: (.boolean, .always, "True: the feature stands for several points.")
        case .clusterID: (.number, .always, "The id of the cluster, also that of its feature.")
        case .pointCount: (.number, .always, "How many points the cluster stands for.")
        case .pointCountAbbreviated:
            (.string, .always, "The count as a short text for a marker, such as 1.2k.")
        case .expansionZoom: (.number, .always, "The first zoom at which the cluster comes apart.")
        case .pointWeight: (.number, .onRequest, "The sum of the points' weights.")
        case .sqrtPointCount:
            (.number, .onRequest, "The square root of the count, to two decimals.")
        case .bbox:
            (.string, .onRequest, "West, south, east and north of the points, as JSON.")
        case .uniqueLocation:
            (.boolean, .onRequest, "True if all points are at one place; otherwise absent.")
        case .parent:
            (.number, .onRequest, "The id of the cluster that it becomes part of; a root has none.")
        case .parentDX:
            (
                .number, .onRequest,
                "How far east of it its parent is, in pixels of the first zoom that draws it."
            )
        case .parentDY:
            (.number, .onRequest, "How far south of it its parent is, in the same pixels.")
        }
    }

    public var kind: Kind { entry.kind }
    public var presence: Presence { entry.presence }
    public var meaning: String { entry.meaning }

    /// The attributes that have to be asked for, in the order of the table.
    public static let onRequest = allCases.filter { $0.presence == .onRequest }
    /// The attributes that describe a cluster's parent.
    public static let ofParents: Set<ClusterAttribute> = [.parent, .parentDX, .parentDY]
    /// Names that nothing else on a cluster may have.
    public static let names = Set(allCases.map(\.name))
    /// Names that no attribute of points may have either, or points could pass for clusters. Common words in data
    /// are free, unless they are asked for.
    public static let namesReservedInPoints = allCases.filter { !ofParents.contains($0) }.map(
        \.name)
}
