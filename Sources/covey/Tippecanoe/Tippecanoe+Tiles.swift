import Arguments

// What tiles keep, drop and are made of.
extension Tippecanoe {
    static let dropping: [Phrase] = [
        .init("drop-rate", short: "r", "RATE") { rate in
            Double(rate) == 1 ? .works([]) : .nothing(because: .drop)
        },
        nothing("retain-points-multiplier", value: "N", because: .drop),
        .init("base-zoom", short: "B", "Z") { zoom in
            zoom == "0" ? .works([]) : .nothing(because: .drop)
        },
        nothing("drop-denser", value: "PERCENT", because: .drop),
        nothing("limit-base-zoom-to-maximum-zoom", drawer: "pb", because: .drop),
        nothing("preserve-point-density-threshold", value: "N", because: .drop),
        nothing("preserve-multiplier-density-threshold", value: "N", because: .drop),
        nothing("drop-densest-as-needed", drawer: "as", because: .drop),
        nothing("drop-fraction-as-needed", drawer: "ad", because: .drop),
        nothing("drop-smallest-as-needed", drawer: "an", because: .drop),
        nothing("drop-by-attribute-as-needed", value: "ATTR", because: .drop),
        nothing("drop-by-attribute-order", value: "asc|desc", because: .drop),
        nothing("gamma", "g", value: "N", because: .drop),
        nothing("increase-gamma-as-needed", drawer: "aG", because: .drop),
        nothing("force-feature-limit", drawer: "pd", because: .drop),
        .init("cluster-distance", short: "K", "PIXELS") { distance in
            .instead(
                "--cluster-radius \(doubled(distance))",
                because: "pixels of a tile of 512, not of 256")
        },
        .init("cluster-maxzoom", short: "k", "Z") { zoom in
            zoom == "g"
                ? .nothing(because: "clusters end one zoom above the deepest by themselves")
                : .works(["--cluster-max-zoom", zoom])
        },
        nothing("cluster-densest-as-needed", drawer: "aC", because: .held),
        nothing("coalesce-densest-as-needed", drawer: "aS", because: .held),
        nothing("coalesce-fraction-as-needed", drawer: "aD", because: .held),
        nothing("coalesce-smallest-as-needed", drawer: "aN", because: .held),
        instead(
            "keep-point-cluster-position", drawer: "aa", "--position anchor",
            "a cluster stands on the point that it grew from"),
    ]

    static let shapes: [Phrase] = [
        nothing("drop-lines", drawer: "al", because: .shape),
        nothing("drop-polygons", drawer: "ap", because: .shape),
        nothing("simplification", "S", value: "SCALE", because: .shape),
        nothing("no-line-simplification", drawer: "ps", because: .shape),
        nothing("simplify-only-low-zooms", drawer: "pS", because: .shape),
        nothing("simplification-at-maximum-zoom", value: "SCALE", because: .shape),
        nothing("no-tiny-polygon-reduction", drawer: "pt", because: .shape),
        nothing("no-tiny-polygon-reduction-at-maximum-zoom", drawer: "pT", because: .shape),
        nothing("tiny-polygon-size", value: "SIZE", because: .shape),
        nothing("no-simplification-of-shared-nodes", drawer: "pn", because: .shape),
        nothing("visvalingam", drawer: "av", because: .shape),
        nothing("detect-shared-borders", drawer: "ab", because: .shape),
        nothing("grid-low-zooms", drawer: "aL", because: .shape),
        nothing("coalesce", drawer: "ac", because: .shape),
        nothing("use-source-polygon-winding", drawer: "pw", because: .shape),
        nothing("reverse-source-polygon-winding", drawer: "pW", because: .shape),
        nothing("check-polygons", drawer: "a@", because: .shape),
        nothing("no-polygon-splitting", drawer: "pp", because: .shape),
        nothing(
            "convert-polygons-to-label-points", drawer: "aP",
            because: "only points are read; --skip-non-points leaves the rest out and counts it"),
        .init("buffer", short: "b", "PIXELS") { pixels in
            .instead(
                "--buffer \(doubled(pixels))",
                because: "pixels of a tile of 512, not of 256")
        },
        instead(
            "no-clipping", drawer: "pc", "--buffer 127",
            "a point stands in its tile, and in neighbours as far as the buffer goes"),
        instead(
            "no-duplication", drawer: "pD", "--buffer 0",
            "a point stands in its tile, and in neighbours as far as the buffer goes"),
        same("detect-longitude-wraparound", drawer: "aw"),
    ]

    static let order: [Phrase] = [
        nothing("preserve-input-order", drawer: "pi", because: .sorted),
        nothing("reorder", drawer: "ao", because: .sorted),
        nothing("reverse", drawer: "ar", because: .sorted),
        nothing("hilbert", drawer: "ah", because: .sorted),
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

    private static func doubled(_ pixels: String) -> String {
        Int(pixels).map { "\($0.multipliedReportingOverflow(by: 2).partialValue)" } ?? "PIXELS"
    }
}

extension String {
    fileprivate static let held =
        "points stay in clusters by themselves where a tile would outgrow --max-tile-bytes"
    fileprivate static let sorted =
        "the order in a tile is fixed, so that the same points give the same bytes; a style sorts "
        + "with symbol-sort-key"
}
