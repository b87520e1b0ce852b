extension FeatureView {
    /// The position of a point feature that is one point, as clusters are; nil for all others.
    public var point: TilePoint? {
        guard type == .point else { return nil }
        var reader = GeometryReader(self)
        guard let command = try? reader.command(), command == GeometryCommand(.moveTo, count: 1),
            let point = try? reader.move(), reader.isAtEnd
        else { return nil }
        return point
    }

    /// The geometry, unpacked.
    /// - Throws: the rule of MVT 4.3 that the geometry breaks.
    /// - Complexity: O(positions).
    public func geometry() throws(TileError) -> TileGeometry {
        var reader = GeometryReader(self)
        switch type {
        case .unknown: return .unknown(try reader.integers())
        case .point: return .points(try reader.points())
        case .lineString: return .lines(try reader.paths(closed: false))
        case .polygon: return .rings(try reader.paths(closed: true))
        }
    }
}
