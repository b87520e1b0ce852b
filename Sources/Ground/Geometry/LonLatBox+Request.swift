extension LonLatBox {
    /// The bounds with which a client requests every tile that has contents.
    ///
    /// MapLibre requests the tiles from floor(west) to ceil(east) - 1, and likewise north and
    /// south, at every zoom. So a unit on an edge needs bounds that reach a little past it, by more
    /// than the client's rounding error. TileJSON's bounds don't wrap.
    /// - Parameter box: the box of everything that is drawn.
    package init(requesting box: WorldBox) {
        let northWest = WorldPoint(x: box.minX, y: box.minY).lonLat
        let southEast = WorldPoint(x: box.maxX, y: box.maxY).lonLat
        func below(_ degrees: Double) -> Double { (degrees * 1e6 - 1).rounded(.down) / 1e6 }
        func above(_ degrees: Double) -> Double { (degrees * 1e6 + 1).rounded(.up) / 1e6 }
        self.init(
            west: max(below(northWest.longitude), -180),
            south: max(below(southEast.latitude), -Self.requestedEnd),
            east: min(above(southEast.longitude), 180),
            north: min(above(northWest.latitude), Self.requestedEnd))
    }

    /// The greatest latitude of metadata: the end of the world, rounded down so that it does not
    /// exceed what the map shows. A client takes the end for an edge.
    package static let requestedEnd = (LonLatBox.world.north * 1e6).rounded(.down) / 1e6

    /// The position nearest to another within a box that doesn't wrap.
    package func nearest(to position: LonLat) -> LonLat {
        LonLat(
            longitude: min(max(position.longitude, west), east),
            latitude: min(max(position.latitude, south), north))
    }
}
