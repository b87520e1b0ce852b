extension Operator {
    /// All operators. A new one needs a constant in its family's file and an entry here.
    static let all: [Operator] = [
        // What a feature has.
        get, has, id, properties, geometryType, accumulated,
        // Logic and choice.
        not, allOf, anyOf, choose, match, coalesce,
        // Comparison.
        equal, notEqual, less, lessOrEqual, greater, greaterOrEqual,
        // Ramps.
        step, interpolate,
        // Arithmetic.
        plus, minus, times, divide, remainder, power, least, greatest,
        absolute, ceiling, floor, round, squareRoot,
        naturalLogarithm, binaryLogarithm, decimalLogarithm,
        sine, cosine, tangent, arcSine, arcCosine, arcTangent, pi, e, ln2,
        // Texts.
        concat, upcase, downcase, split, join, numberFormat,
        // Texts and arrays alike.
        length, at, contains, indexOf, slice,
        // Types.
        literal, typeOf, assertString, assertNumber, assertBoolean, assertObject, assertArray,
        toBoolean, toNumber, toString,
        // Variables.
        bind, variable,
    ]

    static let named: [String: Operator] = Dictionary(
        uniqueKeysWithValues: all.map { ($0.name, $0) })

    /// Operators of the style specification that need a map: its colours, fonts, view and state.
    /// Points are evaluated once, for all zooms.
    static let drawingOnly: Set<String> = [
        "collator", "distance", "elevation", "feature-state", "format", "global-state",
        "heatmap-density", "image", "interpolate-hcl", "interpolate-lab", "is-supported-script",
        "line-progress", "resolved-locale", "rgb", "rgba", "sky-radial-progress", "to-color",
        "to-rgba", "within", "zoom",
    ]
}
