import Expressions

/// The options of a clustering; the names are those that users know.
public struct ClusterOptions: Sendable {
    public var radius: Radius = 50
    public var minZoom = 0
    /// The deepest zoom at which points merge.
    public var maxZoom = 16
    /// How many points a cluster holds at least.
    public var minPoints = 2
    /// How many sites, distinct positions of points, must meet in a cluster.
    public var minUniqueLocations = 1
    public var algorithm: Algorithm = .spaced
    public var order: Order = .stable
    /// Whether the world's east and west edges meet.
    public var wrap = true
    /// Whether the table's weights count in ranks and centroids.
    public var weighted = false
    public var position: Position = .centroid
    /// Attributes that a cluster copies from its representative point.
    public var inherit: [String] = []
    /// Whether points at one site stay one marker at every zoom.
    public var keepCoincident = false
    /// One hierarchy for each value of this attribute, which its clusters carry.
    public var groupBy: String?
    public var aggregates: [Aggregate] = []
    /// The facets by which points are counted within each cluster.
    public var facets: [FacetLayout] = []
    /// MapLibre's aggregates, in either of its forms.
    public var clusterProperties: [ClusterProperty] = []
    /// Names that a cluster has anyway, which no aggregate may take.
    public var reservedNames: Set<String> = []

    public init() {}

    /// - Parameters:
    ///   - radius: how near points merge.
    ///   - minZoom: the first zoom that is drawn.
    ///   - maxZoom: the deepest zoom at which points merge.
    public init(radius: Radius, minZoom: Int = 0, maxZoom: Int = 16) {
        self.radius = radius
        self.minZoom = minZoom
        self.maxZoom = maxZoom
    }

    /// How one zoom's nodes become clusters.
    public enum Algorithm: String, CaseIterable, Sendable {
        case spaced, greedy, grid
    }

    /// Which node is visited first.
    public enum Order: String, CaseIterable, Sendable {
        /// Heavier points first, then by a mix of the position: independent of the input's order.
        case stable
        /// The order of the records.
        case input
    }

    /// Where a cluster is drawn, and which of its points represents it.
    public enum Position: Equatable, Sendable {
        /// At the weighted mean; the point that it grew from represents it.
        case centroid
        /// At the point that it grew from.
        case anchor
        /// At the point nearest to the weighted mean.
        case nearest
        /// At the point whose attribute is largest.
        case max(String)
        /// At the point whose attribute is smallest.
        case min(String)
    }
}

extension ClusterOptions {
    /// Whether the answer is Supercluster's, in double precision: the same members at every zoom.
    var isSupercluster: Bool {
        algorithm == .greedy && order == .input && !wrap && position == .centroid && !weighted
    }

    /// The deepest zoom there is; what forms there never comes apart.
    public static let deepestZoom = 31

    /// Throws if values are out of range or options contradict each other.
    public func validate() throws(ClusteringError) {
        try check("minZoom", Double(minZoom), minZoom >= 0 && minZoom < 31, "0 to 30")
        try check(
            "maxZoom", Double(maxZoom), maxZoom >= minZoom - 1 && maxZoom < 31,
            "minZoom - 1 (no clusters) to 30")
        try check("minPoints", Double(minPoints), minPoints >= 2, "2 or more")
        try check(
            "minUniqueLocations", Double(minUniqueLocations), minUniqueLocations >= 1, "1 or more")
        guard !radius.stops.isEmpty else { throw .contradiction("the radius has no stops") }
        for stop in radius.stops {
            let usable = (0...Radius.mostPixels).contains(stop.pixels) && stop.zoom >= 0
            try check("radius", stop.pixels, usable, "0 to 2^41 pixels, which are the world")
        }
        try checkNames()
        try checkAgreement()
    }

    private func check(
        _ name: String, _ value: Double, _ fits: Bool, _ wanted: String
    ) throws(ClusteringError) {
        guard !fits else { return }
        let text = value == value.rounded() && value.magnitude < 1e15 ? "\(Int(value))" : "\(value)"
        throw .optionOutOfRange(name: name, value: text, wanted: wanted)
    }

    private func checkAgreement() throws(ClusteringError) {
        if keepCoincident && minUniqueLocations > 1 {
            throw .contradiction(
                "keepCoincident makes clusters of one site and minUniqueLocations forbids them; "
                    + "use one of the two")
        }
        if minUniqueLocations > 1, !radius.stops.contains(where: { $0.pixels > 0 }) {
            throw .contradiction(
                "a radius of 0 takes only points of one site together, and minUniqueLocations "
                    + "forbids that; use one of the two")
        }
        guard algorithm == .grid, minZoom <= maxZoom else { return }
        for zoom in minZoom...maxZoom {
            let side = radius.distance(atZoom: zoom)
            guard side > 0 else { throw .contradiction("a grid needs a radius larger than 0") }
            let ratio = side / radius.distance(atZoom: min(zoom + 1, maxZoom))
            guard ratio == ratio.rounded() else {
                throw .contradiction(
                    "the cells of a grid must nest: between zooms \(zoom) and \(zoom + 1) the "
                        + "radius changes so that a cell would be cut")
            }
        }
    }
}
