/// A layer of tiles beside a layer of points and clusters, made from it.
///
/// Its features are not nodes of the hierarchy, and queries do not use them.
public enum CompanionLayer: String, CaseIterable, Sendable {
    /// The nodes of a deeper zoom with their counts, for heat maps.
    case heat
    /// Lines from the place of spread points to the positions at which they are drawn.
    case legs
    /// Polygons with counts and aggregates of the points in them.
    case bins

    /// Its name in tiles.
    public func name(beside layer: String) -> String { layer + "_" + rawValue }

    /// How much deeper than the tile's zoom the nodes of a heat layer are: their spacing is a quarter of that of
    /// markers.
    public static let heatZooms = 2
}

/// How points at one place are drawn apart at the deepest zooms.
public enum PointSpread {
    /// The attribute of a point that is drawn away from its place, and of its leg: the true place, as
    /// `[longitude,latitude]`.
    public static let attribute = "spread_of"
    /// The greatest distance from its place at which a point may be drawn, in pixels of the deepest zoom: a leg
    /// reaches into neighbouring tiles, but not beyond.
    public static let reach = 200.0
}

extension ClusterDescription.Layer {
    /// The layers beside it.
    public var companions: [(kind: CompanionLayer, name: String)] {
        var found: [(CompanionLayer, String)] = []
        if heatMaxZoom != nil { found.append((.heat, CompanionLayer.heat.name(beside: name))) }
        if spread != nil { found.append((.legs, CompanionLayer.legs.name(beside: name))) }
        if bins != nil { found.append((.bins, CompanionLayer.bins.name(beside: name))) }
        return found
    }
}
