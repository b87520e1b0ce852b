/// A layer of tiles that stands beside a layer of points and clusters and is made of it.
///
/// Its features are no nodes of the hierarchy, and nothing asks about them.
public enum CompanionLayer: String, CaseIterable, Sendable {
    /// The nodes of a finer zoom with their counts, for heat maps.
    case heat
    /// Lines from the place of spread points to where each is drawn.
    case legs
    /// Polygons with what the points in them come to.
    case bins

    /// Its name in tiles.
    public func name(beside layer: String) -> String { layer + "_" + rawValue }

    /// How many zooms finer than the tile the nodes of a heat layer are: their spacing is a quarter
    /// of that of markers.
    public static let heatZooms = 2
}

/// How points at one place are drawn apart at the deepest zooms.
public enum PointSpread {
    /// What a point that is drawn elsewhere than it lies says, and its leg: its true place, as
    /// `[longitude,latitude]`.
    public static let attribute = "spread_of"
    /// How far from its place a point may be drawn at most, in pixels of the deepest zoom: a leg
    /// reaches into neighbouring tiles, but not beyond.
    public static let reach = 200.0
}

extension ClusterDescription.Layer {
    /// The layers beside it, with the zooms that have them.
    public var companions: [(kind: CompanionLayer, name: String)] {
        var found: [(CompanionLayer, String)] = []
        if heatMaxZoom != nil { found.append((.heat, CompanionLayer.heat.name(beside: name))) }
        if spread != nil { found.append((.legs, CompanionLayer.legs.name(beside: name))) }
        if bins != nil { found.append((.bins, CompanionLayer.bins.name(beside: name))) }
        return found
    }
}
