import Arguments
import JSON

// What tiles keep, drop and consist of.
extension Tippecanoe {
    static let dropping: [Phrase] = [
        .init("drop-rate", short: "r", "RATE") { rate in
            Double(rate) == 1 ? .works([]) : .noted([], because: .drop)
        },
        idle("retain-points-multiplier", value: "N", because: .drop),
        .init("base-zoom", short: "B", "Z") { zoom in
            zoom == "0" ? .works([]) : .noted([], because: .drop)
        },
        idle("drop-denser", value: "PERCENT", because: .drop),
        idle("limit-base-zoom-to-maximum-zoom", drawer: "pb", because: .drop),
        idle("preserve-point-density-threshold", value: "N", because: .drop),
        idle("preserve-multiplier-density-threshold", value: "N", because: .drop),
        idle("drop-densest-as-needed", drawer: "as", because: .drop),
        idle("drop-fraction-as-needed", drawer: "ad", because: .drop),
        idle("drop-smallest-as-needed", drawer: "an", because: .drop),
        idle("drop-by-attribute-as-needed", value: "ATTR", because: .drop),
        idle("drop-by-attribute-order", value: "asc|desc", because: .drop),
        idle("gamma", "g", value: "N", because: .drop),
        idle("increase-gamma-as-needed", drawer: "aG", because: .drop),
        idle("force-feature-limit", drawer: "pd", because: .drop),
        .init("cluster-distance", short: "K", "PIXELS") { distance in
            .noted(["--cluster-radius", doubled(distance)], because: .pixels)
        },
        .init("cluster-maxzoom", short: "k", "Z") { zoom in
            // By default, clusters end one zoom above the deepest.
            .works(zoom == "g" ? [] : ["--cluster-max-zoom", zoom])
        },
        idle("cluster-densest-as-needed", drawer: "aC", because: .held),
        idle("coalesce-densest-as-needed", drawer: "aS", because: .held),
        idle("coalesce-fraction-as-needed", drawer: "aD", because: .held),
        idle("coalesce-smallest-as-needed", drawer: "aN", because: .held),
        .init("keep-point-cluster-position", drawer: "aa") { _ in
            .noted(
                ["--position", "anchor"], because: "a cluster stands on the point that it grew from"
            )
        },
    ]

    static let shapes: [Phrase] = [
        idle("drop-lines", drawer: "al", because: .shape),
        idle("drop-polygons", drawer: "ap", because: .shape),
        idle("simplification", "S", value: "SCALE", because: .shape),
        idle("no-line-simplification", drawer: "ps", because: .shape),
        idle("simplify-only-low-zooms", drawer: "pS", because: .shape),
        idle("simplification-at-maximum-zoom", value: "SCALE", because: .shape),
        idle("no-tiny-polygon-reduction", drawer: "pt", because: .shape),
        idle("no-tiny-polygon-reduction-at-maximum-zoom", drawer: "pT", because: .shape),
        idle("tiny-polygon-size", value: "SIZE", because: .shape),
        idle("no-simplification-of-shared-nodes", drawer: "pn", because: .shape),
        idle("visvalingam", drawer: "av", because: .shape),
        idle("detect-shared-borders", drawer: "ab", because: .shape),
        idle("grid-low-zooms", drawer: "aL", because: .shape),
        idle("coalesce", drawer: "ac", because: .shape),
        idle("use-source-polygon-winding", drawer: "pw", because: .shape),
        idle("reverse-source-polygon-winding", drawer: "pW", because: .shape),
        idle("check-polygons", drawer: "a@", because: .shape),
        idle("no-polygon-splitting", drawer: "pp", because: .shape),
        nothing(
            "convert-polygons-to-label-points", drawer: "aP",
            because: "--points-from inside takes a point of each line and polygon"),
        .init("buffer", short: "b", "PIXELS") { pixels in
            if let number = Double(pixels), number > widestBuffer / 2 {
                return .instead("--buffer \(Int(widestBuffer))", because: "no margin is wider")
            }
            let words = ["--buffer", doubled(pixels)]
            return pixels == "0" ? .works(words) : .noted(words, because: .pixels)
        },
        idle("no-clipping", drawer: "pc", because: .shape),
        .init("no-duplication", drawer: "pD") { _ in .works(["--buffer", "0"]) },
        same("detect-longitude-wraparound", drawer: "aw"),
    ]

    static let order: [Phrase] = [
        nothing("preserve-input-order", drawer: "pi", because: .sorted),
        idle("reorder", drawer: "ao", because: .sorted),
        idle("reverse", drawer: "ar", because: .shape),
        idle("hilbert", drawer: "ah", because: .sorted),
        nothing("order-by", value: "ATTR", because: .sorted),
        nothing("order-descending-by", value: "ATTR", because: .sorted),
        nothing("order-smallest-first", because: .sorted),
        nothing("order-largest-first", because: .sorted),
        instead(
            "calculate-feature-density", drawer: "ag", "--heat",
            "a layer of fine counts, from which styles draw density"),
        same("generate-ids", drawer: "ai", as: "--generate-id"),
        nothing("calculate-feature-index", drawer: "aX", because: .sorted),
        same("prefer-radix-sort", drawer: "aR"),
    ]

    /// The greatest value of `--buffer`.
    private static let widestBuffer = 127.0

    /// Converts pixels of a 256-pixel tile to those of a 512-pixel tile.
    private static func doubled(_ pixels: String) -> String {
        Double(pixels).map { JSONValue(canonical: 2 * $0).text() } ?? pixels
    }
}

extension String {
    fileprivate static let pixels = "pixels of a tile of 512, not of 256"
    fileprivate static let held =
        "points stay in clusters by themselves where a tile would outgrow --max-tile-bytes"
    fileprivate static let sorted =
        "the order in a tile is fixed, so that the same points give the same bytes; a style sorts "
        + "with symbol-sort-key"
}
