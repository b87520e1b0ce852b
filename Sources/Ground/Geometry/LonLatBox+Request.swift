extension LonLatBox {
    /// The bounds by which a client asks for every tile that holds something of its own.
    ///
    /// MapLibre asks for the tiles from floor(west) to ceil(east) - 1, and likewise north and south,
    /// at every zoom. So a unit that lies on an edge needs bounds that go on past it, by a hair that
    /// the client's arithmetic can't lose. TileJSON's bounds don't wrap.
    /// - Parameter box: what is drawn.
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

    /// The latitude that metadata have for the world's end, and not past what the map shows: a client takes the
    /// end for an edge.
    package static let requestedEnd = (LonLatBox.world.north * 1e6).rounded(.down) / 1e6

    /// The position in a box that doesn't wrap which is nearest to another.
    package func nearest(to position: LonLat) -> LonLat {
        LonLat(
            longitude: min(max(position.longitude, west), east),
            latitude: min(max(position.latitude, south), north))
    }
}
