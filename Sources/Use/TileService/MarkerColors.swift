import JSON

/// Colours of markers by an attribute, instead of by the number of points.
struct MarkerColors: Sendable {
    /// Colours that most people with colour blindness can tell apart too; white text is readable on each.
    static let palette = [
        "#2f6396", "#a3541a", "#2b7a4b", "#8f2d56", "#5b4a9c", "#6b5d12", "#1f6f78", "#7a3b2e",
    ]
    /// The colour for other values, and for none.
    static let other = "#5f6b76"

    /// Texts that MapLibre refuses as labels of `match`, since every object of JavaScript has members of these names.
    static let refused: Set = [
        "constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString",
        "toString", "valueOf", "__proto__", "__defineGetter__", "__defineSetter__",
        "__lookupGetter__", "__lookupSetter__",
    ]

    var ofClusters: JSONValue
    var ofPoints: JSONValue
}
