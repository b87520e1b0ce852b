/// What an archive says of its clusters, in the row of its metadata that has Covey's name: which
/// leaf numbers are whose, how they were clustered, and how ids are made.
public struct ClusterDescription: Equatable, Sendable {
    /// The latest format of the tables, of the leaf blocks and of this account.
    ///
    /// 1: ids are packed keys. 2: ids have a base. 3: ids are places. 4: blocks end where large clusters do.
    public static let format: Int64 = 4
    /// What `variableDepth` is where a build leaves tiles out. Maps magnify an ancestor within a grid
    /// of 8,192 units: three zooms cost them a quarter of a pixel.
    public static let coveredZooms: UInt8 = 3
    /// The metadata's name for it.
    public static let rowName = "covey"
    /// The member that tells which file beside the archive has the points that it was built of.
    public static let pointsName = "points"

    public var layers: [Layer]
    /// The margin of a tile in pixels of 512.
    public var buffer: Double
    /// The extent of the tiles, but for the deepest, which may be finer.
    public var extent: Int64?
    /// How many zooms below a tile of points alone tiles may be left out, because that one shows the
    /// same; 0 where none are.
    public var variableDepth = 0
    /// Of an archive that is read: its own format.
    public var format = Self.format
    /// To format 3: how many leaves every block has.
    public var equalBlocks = LeafBlockLayout.usual
    public var ids: ClusterIDs
    /// The payloads that answer questions about clusters.
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
        /// How many blocks there are.
        public var count: Int64
        /// How many pages of ids are behind them.
        public var pages: Int64
        /// How many outlines of large clusters are behind these; the overview is the last.
        public var outlines: Int64
        /// MD5 over the MD5 of all payloads, in hexadecimal.
        public var hash: String

        public init(count: Int64, pages: Int64 = 0, outlines: Int64 = 0, hash: String) {
            self.count = count
            self.pages = pages
            self.outlines = outlines
            self.hash = hash
        }

        /// The number of the overview, and of all payloads before it.
        public var overview: Int64 { count + pages + outlines }
    }

    public struct Layer: Equatable, Sendable {
        public var name: String
        /// The numbers of its leaves.
        public var leaves: Range<Int64>
        public var clusterCount: Int64?
        /// How many leaves a block may have, in early archives of format 4; nil where their weight decides.
        public var blockLayout: LeafBlockLayout?
        /// The zooms at which clusters may form; `maxZoom` lies below where none can.
        public var minZoom: Int
        public var maxZoom: Int
        /// Nil where the layer is not clustered.
        public var clustering: Clustering?
        /// What its clusters' features carry beyond what the index knows, if the archive says it.
        public var carries: [String]?
        /// The deepest zoom with a layer of finer counts beside it; nil where there is none.
        public var heatMaxZoom: Int?
        /// How far apart points at one place are drawn, in pixels of the deepest zoom; nil where they
        /// are drawn on one another.
        public var spread: Double?
        /// What points are counted by within each cluster.
        public var facets: [Facet] = []
        /// The bins beside it.
        public var bins: LayerBins?

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

    /// The rules by which points were put together, with the names that users know.
    public struct Clustering: Equatable, Sendable {
        public var radius: RadiusByZoom
        public var minPoints: Int64 = 2
        public var algorithm: String
        public var wrap = true
        public var keepCoincident = false
        public var minUniqueLocations: Int64 = 1
        /// How many hierarchies there are, one for each value that is grouped by.
        public var groups: Int64 = 1
        /// The attribute that is grouped by.
        public var groupBy: String?
        /// How fine the grid is in which clusters are named (`NameGrid`).
        public var fineness = NameGrid.fineness.lowerBound
        /// The letters of abbreviated counts.
        public var countLetters = AbbreviatedCount.Letters.small
        /// The deepest zoom of clusters that hold together where tiles would be too full.
        public var heldMaxZoom: Int?

        public init(radius: RadiusByZoom, algorithm: String) {
            self.radius = radius
            self.algorithm = algorithm
        }
    }

    /// The number of leaves, over all layers.
    public var leafCount: Int64 { layers.reduce(0) { max($0, $1.leaves.upperBound) } }

    public func layer(ofLeaf leaf: Int64) -> Layer? { layers.first { $0.leaves.contains(leaf) } }

    /// The letters of the counts of clusters that begin with a leaf.
    public func countLetters(ofLeaf leaf: Int64) -> AbbreviatedCount.Letters {
        layer(ofLeaf: leaf)?.clustering?.countLetters ?? .small
    }
}

/// The radius of clusters in pixels of 512: the value at the highest stop at or below a zoom; the
/// first serves those before it.
public struct RadiusByZoom: Equatable, Sendable {
    /// By zoom, ascending, and at least one.
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
