import JSON

/// What markers are coloured by, where that is not how many points they stand for.
struct MarkerColors: Sendable {
    /// Told apart by most people with colour blindness too; white figures can be read on each.
    static let palette = [
        "#2f6396", "#a3541a", "#2b7a4b", "#8f2d56", "#5b4a9c", "#6b5d12", "#1f6f78", "#7a3b2e",
    ]
    /// Of values beyond those, and of what has none.
    static let other = "#5f6b76"

    var ofClusters: JSONValue
    var ofPoints: JSONValue
}
