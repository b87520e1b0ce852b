import JSON

/// Colours of markers by an attribute, instead of by the number of points.
struct MarkerColors: Sendable {
    /// Colours that most people with colour blindness can tell apart too; white text is readable on each.
    static let palette = [
        "#2f6396", "#a3541a", "#2b7a4b", "#8f2d56", "#5b4a9c", "#6b5d12", "#1f6f78", "#7a3b2e",
    ]
    /// The colour for other values, and for none.
    static let other = "#5f6b76"

    var ofClusters: JSONValue
    var ofPoints: JSONValue
}
