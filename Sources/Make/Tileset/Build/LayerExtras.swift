/// What is drawn for a layer besides its points and clusters.
struct LayerExtras: Sendable {
    /// The deepest zoom with a layer of finer counts; nil where there is none.
    var heatMaxZoom: Int?
    /// The deepest zoom of all tiles; no counts are finer than what it draws.
    var maxZoom = 0
    /// How points at one place are drawn apart; nil where they are not.
    var spread: SpreadPoints.Rule?
    /// The bins of the layer; nil where there are none.
    var bins: DrawnBins.Rule?
}
