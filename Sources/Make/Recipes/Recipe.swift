import ArchiveContract
import JSON

/// All that a build needs to know, except where the archive is written.
public struct Recipe: Sendable {
    public var about = About()
    public var tiles = TileOptions()
    public var layers: [Layer] = []

    /// What an archive says to people: its name and the like.
    public struct About: Equatable, Sendable {
        public var name: String?
        public var description: String?
        public var attribution: String?

        public init() {}
    }

    /// Points that are drawn as one layer of the tiles, and clustered among themselves.
    public struct Layer: Sendable {
        public var name: String
        /// Files (relative to the recipe), URLs, or `-` for standard input.
        public var sources: [String]
        public var input = InputRecipe()
        /// How its points are clustered; nil draws them all at every zoom.
        public var clusters: ClusterRecipe? = ClusterRecipe()

        public init(name: String, sources: [String]) {
            self.name = name
            self.sources = sources
        }

        /// The files that are read besides its sources, to look up its points in.
        package var filesBeside: [String] {
            [input.join?.file, input.regions].compactMap(\.self)
        }
        /// All files and sources that are read for it.
        var files: [String] { sources + filesBeside }

        /// Whether its points are clustered at all.
        package var isClustered: Bool { clusters?.areFormed ?? false }
        /// Whether its clusters form across the antimeridian.
        package var wraps: Bool { clusters?.options.wrap ?? true }
    }

    public init() {}
}

/// How the world is cut into tiles.
public struct TileOptions: Equatable, Sendable {
    public var minZoom: UInt8 = 0
    /// The deepest zoom; nil lets the data decide.
    public var maxZoom: UInt8?
    /// How far from its place, in metres, the deepest zoom may draw a point, if the data decide
    /// that zoom; nil means `usualPrecision`.
    public var precision: Double?
    public var extentBits: UInt8 = 12
    /// The margin that neighbours share, in pixels of a 512-pixel tile.
    public var buffer = 8.0
    public var maxBytes = 500_000
    public var maxFeatures: Int?
    public var compression = PackingLevel.usual
    /// Whether the archive keeps leaf blocks and the cluster index.
    public var leaves = true
    /// Whether tiles are left out if an ancestor shows the same.
    public var variableDepth = false
    /// How far apart, in pixels, the deepest zoom draws points of one place; nil draws them on top
    /// of each other.
    public var spread: Double?
    /// Whether tiles have a companion layer of finer counts for each clustered layer, for heat maps.
    public var heat = false
    /// The bins that tiles have in a companion layer of each layer.
    public var bins: Bins?
    /// The deepest zoom with bins; nil lets the data decide.
    public var binsMaxZoom: Int?

    public init() {}
    /// The deepest zoom possible.
    public static let deepestZoom: UInt8 = 24
    public static let usualPrecision = 10.0
    /// The value for a `spread` of true: markers of a usual size are drawn side by side.
    public static let usualSpread = 20.0

    /// How far from its place the deepest zoom may draw a point, in metres.
    public var metres: Double { precision ?? Self.usualPrecision }

    /// The extent of tiles at the deepest zoom. Maps magnify these tiles further, so the extent is
    /// finer as long as that separates positions: up to 2^28 units for the world, 15 cm. A recipe
    /// that asks for coarser tiles than usual gets them.
    public func deepestExtentBits(at zoom: UInt8) -> UInt8 {
        guard extentBits >= TileOptions().extentBits else { return extentBits }
        return UInt8(min(max(28 - Int(zoom), Int(extentBits)), 16))
    }
}

extension Recipe {
    /// The same recipe without its inputs.
    package var withoutSources: Recipe {
        var recipe = self
        for index in recipe.layers.indices { recipe.layers[index].sources = [] }
        return recipe
    }

    /// Whether some points get ids by their order in the input.
    package var generatesIDs: Bool { layers.contains(where: \.input.generateID) }
}
