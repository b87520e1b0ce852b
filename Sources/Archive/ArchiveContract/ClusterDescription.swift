/// An archive's description of its clusters, in the row of its metadata with Covey's name: the leaf numbers of
/// each layer, how they were clustered, and how ids are made.
public struct ClusterDescription: Equatable, Sendable {
    /// The latest format of the tables, of the leaf blocks and of this description.
    ///
    /// 1: ids are packed keys. 2: ids have a base. 3: ids are places. 4: blocks end where large clusters do.
    /// 5: the overview has chapters.
    public static let format: Int64 = 5
    /// The format of archives whose overview has no chapters.
    static let undivided: Int64 = 4
    /// The value of `variableDepth` in builds that leave tiles out. Maps magnify an ancestor within a grid of
    /// 8,192 units: three zooms cost them a quarter of a pixel.
    public static let coveredZooms: UInt8 = 3
    /// The name of the description in the metadata.
    public static let rowName = "covey"
    /// The member that names the file beside the archive with the points that it was built of.
    public static let pointsName = "points"
    /// The member that says that a box was cut out.
    static let partName = "part"

    public var layers: [Layer]
    /// Whether the tiles are those that touch a box, so that nothing is known of the number of points: no layer has
    /// leaves.
    public var isPart = false
    /// The margin of a tile in pixels of 512.
    public var buffer: Double
    /// The extent of the tiles, except the deepest, which may be finer.
    public var extent: Int64?
    /// How many zooms below a tile with only points tiles may be left out, because that tile shows the same; 0 if
    /// none are left out.
    public var variableDepth = 0
    /// The format of an archive that was read.
    public var format = Self.undivided
    /// How many leaves every block has, up to format 3.
    public var equalBlocks = LeafBlockLayout.mostLeaves
    public var ids: ClusterIDs
    /// The payloads that answer queries about clusters.
    public var blocks: Blocks?

    public init(layers: [Layer], buffer: Double, extent: Int64? = nil, ids: ClusterIDs) {
        self.layers = layers
        self.buffer = buffer
        self.extent = extent
        self.ids = ids
    }

    /// The payloads of an archive's clusters (docs/pmtiles.md).
    public struct Blocks: Equatable, Sendable {
        public static let name = "blocks"
        /// The most payloads that an archive may have.
        public static let most: Int64 = 1 << 26
        /// How many blocks there are.
        public var count: Int64
        /// The number of pages of ids after the blocks.
        public var pages: Int64
        /// The number of payloads with outlines of large clusters, after the pages; the overview is the last
        /// payload.
        public var outlines: Int64
        /// How many blocks and pages a chapter of the overview has; nil if it has no chapters.
        public var chapterSize: Int64?
        /// The MD5 over the MD5 of all payloads, in hexadecimal.
        public var hash: String

        public init(
            count: Int64, pages: Int64 = 0, outlines: Int64 = 0, chapterSize: Int64? = nil,
            hash: String
        ) {
            self.count = count
            self.pages = pages
            self.outlines = outlines
            self.chapterSize = chapterSize
            self.hash = hash
        }

        /// The number of chapters after the outlines.
        public var chapters: Int64 {
            chapterSize.map { (max(count, pages) + $0 - 1) / $0 } ?? 0
        }

        /// The number of the last payload, which is the overview, or its contents if it has chapters; and the
        /// number of payloads before it.
        public var overview: Int64 { count + pages + outlines + chapters }
    }

    public struct Layer: Equatable, Sendable {
        public var name: String
        /// The numbers of its leaves.
        public var leaves: Range<Int64>
        public var clusterCount: Int64?
        /// The most leaves of a block, in early archives of format 4; nil if weights decide.
        public var leavesInBlock: Int64?
        /// The zooms at which clusters may form; `maxZoom` is less than `minZoom` if none can.
        public var minZoom: Int
        public var maxZoom: Int
        /// Nil if the layer is not clustered.
        public var clustering: Clustering?
        /// The attributes of its clusters' features that the index does not have, if the archive lists them.
        public var carries: [String]?
        /// The deepest zoom with a heat layer of finer counts beside it; nil if there is none.
        public var heatMaxZoom: Int?
        /// How far apart points at one place are drawn, in pixels of the deepest zoom; nil if they are drawn on
        /// top of one another.
        public var spread: Double?
        /// The facets by which points are counted within each cluster.
        public var facets: [Facet] = []
        /// The bins beside the layer.
        public var bins: LayerBins?

        /// Whether its clusters form across the antimeridian.
        package var wraps: Bool { clustering?.wrap ?? true }

        public init(
            name: String, leaves: Range<Int64>, clusterCount: Int64? = nil, minZoom: Int,
            maxZoom: Int, clustering: Clustering?, carries: [String]? = nil
        ) {
            self.carries = carries
            self.name = name
            self.leaves = leaves
            self.clusterCount = clusterCount
            self.minZoom = minZoom
            self.maxZoom = maxZoom
            self.clustering = clustering
        }
    }

    /// The rules of a clustering, with the names that users know.
    public struct Clustering: Equatable, Sendable {
        public var radius: RadiusByZoom
        public var minPoints: Int64 = 2
        public var algorithm: String
        public var wrap = true
        public var keepCoincident = false
        public var minUniqueLocations: Int64 = 1
        /// The number of hierarchies, one for each value of the grouping attribute.
        public var groups: Int64 = 1
        /// The grouping attribute.
        public var groupBy: String?
        /// How fine the grid is that clusters are named in (`NameGrid`).
        public var fineness = NameGrid.fineness.lowerBound
        /// The letters of abbreviated counts.
        public var countLetters = AbbreviatedCount.Letters.small
        /// The deepest zoom of clusters that are kept together where tiles would be too full.
        public var heldMaxZoom: Int?

        public init(radius: RadiusByZoom, algorithm: String) {
            self.radius = radius
            self.algorithm = algorithm
        }
    }

    /// The number of leaves, over all layers.
    public var leafCount: Int64 { layers.reduce(0) { max($0, $1.leaves.upperBound) } }

    public func layer(ofLeaf leaf: Int64) -> Layer? { layers.first { $0.leaves.contains(leaf) } }

    /// The letters of the counts of clusters that begin with a given leaf.
    public func countLetters(ofLeaf leaf: Int64) -> AbbreviatedCount.Letters {
        layer(ofLeaf: leaf)?.clustering?.countLetters ?? .small
    }
}

/// The radius of clusters by zoom, in pixels of 512: that of the highest stop at or below a zoom; zooms before
/// the first stop have that of the first.
public struct RadiusByZoom: Equatable, Sendable {
    /// The stops by ascending zoom; there is at least one.
    public let stops: [(zoom: Int, pixels: Double)]

    public init?(stops: [(zoom: Int, pixels: Double)]) {
        guard !stops.isEmpty else { return nil }
        self.stops = stops.sorted { $0.zoom < $1.zoom }
    }

    public init(_ pixels: Double) { stops = [(0, pixels)] }

    public func pixels(at zoom: Int) -> Double {
        (stops.last { $0.zoom <= zoom } ?? stops[0]).pixels
    }

    public static func == (a: RadiusByZoom, b: RadiusByZoom) -> Bool {
        a.stops.elementsEqual(b.stops) { $0 == $1 }
    }
}
