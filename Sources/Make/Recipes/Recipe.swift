import ArchiveContract
import JSON

/// Everything that a build needs to know, apart from where the archive goes.
public struct Recipe: Sendable {
    public var about = About()
    public var tiles = TileOptions()
    public var layers: [Layer] = []

    /// What an archive says of itself to people.
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

        /// What is read beside its sources, to look their points up in.
        package var filesBeside: [String] {
            [input.join?.file, input.regions].compactMap(\.self)
        }
        /// All that is read for it.
        var files: [String] { sources + filesBeside }

        /// Whether its points are clustered at all.
        package var isClustered: Bool { clusters?.areFormed ?? false }
    }

    public init() {}
}

/// How the world is cut into tiles.
public struct TileOptions: Equatable, Sendable {
    public var minZoom: UInt8 = 0
    /// The deepest zoom; nil lets the data decide.
    public var maxZoom: UInt8?
    /// How far, in metres, the deepest zoom may draw a point from where it is, where the data decides
    /// which that is; nil is `usualPrecision`.
    public var precision: Double?
    public var extentBits: UInt8 = 12
    /// The margin that neighbours share, in pixels of a 512-pixel tile.
    public var buffer = 8.0
    public var maxBytes = 500_000
    public var maxFeatures: Int?
    public var compression = PackingLevel.usual
    /// Whether the archive keeps leaf blocks and the cluster index.
    public var leaves = true
    /// Whether tiles are left out whose ancestors show the same.
    public var variableDepth = false
    /// How far apart, in pixels, the deepest zoom draws points of one place; nil draws them on
    /// one another.
    public var spread: Double?
    /// Whether tiles have a layer of finer counts beside each clustered one, for heat maps.
    public var heat = false
    /// The bins that tiles have in a layer beside each one.
    public var bins: Bins?
    /// The deepest zoom with bins; nil lets the data decide.
    public var binsMaxZoom: Int?

    public init() {}
    /// The deepest zoom there is.
    public static let deepestZoom: UInt8 = 24
    public static let usualPrecision = 10.0
    /// What a `spread` of true means: markers of a usual size stand beside one another.
    public static let usualSpread = 20.0

    /// How far the deepest zoom may draw a point from where it is, in metres.
    public var metres: Double { precision ?? Self.usualPrecision }

    /// The extent of tiles at the deepest zoom. Maps that go on zooming show that one magnified, so
    /// it is finer where that still tells positions apart: to 2^28 a world, 15 cm. Who asks for
    /// coarser tiles than usual is not overruled.
    public func deepestExtentBits(at zoom: UInt8) -> UInt8 {
        guard extentBits >= TileOptions().extentBits else { return extentBits }
        return UInt8(min(max(28 - Int(zoom), Int(extentBits)), 16))
    }
}

extension Recipe {
    /// The same for other inputs.
    package var withoutSources: Recipe {
        var recipe = self
        for index in recipe.layers.indices { recipe.layers[index].sources = [] }
        return recipe
    }

    /// Whether some points get ids by their order in the input.
    package var generatesIDs: Bool { layers.contains(where: \.input.generateID) }
}
