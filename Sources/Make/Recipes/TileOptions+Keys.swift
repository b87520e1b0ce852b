import ArchiveContract
import JSON

extension TileOptions: RecipeSection {
    static let keys: [RecipeKey<TileOptions>] = [
        .integer(
            "minZoom", 0...24, option: .init("min-zoom", "Z"), "the shallowest zoom (default 0)",
            \.minZoom),
        RecipeKey(
            "maxZoom", .either(.integer(0...24), .choice(["auto"])),
            option: .init("max-zoom", "Z|auto"),
            "the deepest zoom; auto lets the data decide (default auto)",
            get: { $0.maxZoom.map { .integer(Int64($0)) } ?? "auto" },
            set: { $0.maxZoom = $1.value.asString == nil ? UInt8(try $1.integer) : nil }),
        RecipeKey(
            "precision", .number(0.05...1_000_000), option: .init("precision", "METRES"),
            "with auto: how many metres from its position the deepest zoom may draw a point (default 10)",
            get: { $0.precision.map(JSONValue.init(canonical:)) },
            set: { $0.precision = try $1.number }),
        RecipeKey(
            "extent", .integer(256...65_536), option: .init("extent", "UNITS"),
            schema: ["enum": .array((8...16).map { .integer(1 << $0) })],
            "units per side of a tile, a power of two; more at the deepest zoom (default 4096)",
            get: { .integer(1 << Int64($0.extentBits)) },
            set: { options, node in
                let extent = try node.integer
                guard extent.nonzeroBitCount == 1 else { throw node.wrong("a power of two") }
                options.extentBits = UInt8(extent.trailingZeroBitCount)
            }),
        .number(
            "buffer", 0...127, option: .init("buffer", "PIXELS"),
            "the margin that neighbouring tiles share, in pixels of a 512-pixel tile (default 8)",
            \.buffer),
        .integer(
            "maxBytes", 1_000...(.max), option: .init("max-tile-bytes", "BYTES"),
            "in larger tiles points stay clustered, even past the cluster zooms (default 500000)",
            \.maxBytes),
        .optionalInteger(
            "maxFeatures", 1...(.max), option: .init("max-tile-features", "N"),
            "the same, for tiles with more features", \.maxFeatures),
        .integer(
            "compression", 0...12, option: .init("compression", "0-12"),
            "how hard tiles are compressed (default \(PackingLevel.usual))", \.compression),
        .flag(
            "leaves",
            option: .off(
                "no-leaves",
                "leave out leaf blocks and the cluster index: a smaller archive that answers no questions "
                    + "about clusters"),
            "keep leaf blocks and the cluster index, which answer queries (default true)",
            \.leaves),
        .flag(
            "variableDepth", option: .init("variable-depth"),
            "leave out tiles whose ancestors show the same, for maps that magnify ancestors (default "
                + "false)",
            \.variableDepth),
        RecipeKey(
            "spread", .either(.flag, .number(1...100)), option: .init("spread", "PIXELS"),
            "draw points at one position apart, on a ring or spiral with legs to it (20 pixels if "
                + "no number is given)",
            get: { $0.spread.map(JSONValue.init(canonical:)) ?? false },
            set: { options, node in
                if case .bool(let isOn) = node.value {
                    options.spread = isOn ? TileOptions.usualSpread : nil
                } else {
                    options.spread = try node.number
                }
            }),
        .flag(
            "heat", option: .init("heat"),
            "add a layer of finer counts to tiles, from which styles draw true heat maps (default "
                + "false)",
            \.heat),
        RecipeKey(
            "bins", .text, option: .init("bins", "SHAPE[:PIXELS]"),
            schema: ["pattern": "^(hexagon|square)(:[0-9]+)?$"],
            "add a layer of polygons to tiles, each with aggregates of its points: \(Bins.words)",
            get: { $0.bins.map { .string($0.text) } },
            set: { options, node in
                guard let bins = Bins(spelled: try node.string) else {
                    throw node.wrong(Bins.words)
                }
                options.bins = bins
            }),
        .optionalInteger(
            "binsMaxZoom", 0...Bins.deepestZoom, option: .init("bins-max-zoom", "Z"),
            "the deepest zoom with bins (default: the deepest at which one holds four points on average)",
            \.binsMaxZoom),
    ]
}
