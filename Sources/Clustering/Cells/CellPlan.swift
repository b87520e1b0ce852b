import Geometry

/// How the world is cut, by the data and the options alone.
public struct CellPlan: Sendable {
    /// The cells are the squares that halving the world's sides so many times leaves.
    public var cellZoom: Int
    /// The shallowest zoom that cells cluster; those above are clustered for all of them together.
    public var cutZoom: Int
    /// How far around a cell points are looked at in the first attempt, in radii of the cut zoom.
    public var margin: Double
    /// How many passes a zoom takes at most, as supposed at first.
    public var passLimit = 6

    /// A plan whose cut lies `depth` zooms below the cells. The deeper, the smaller are the margins, and
    /// the more nodes are handed up.
    public init(cellZoom: Int, depth: Int = 4, options: ClusterOptions) {
        self.cellZoom = cellZoom
        cutZoom = min(max(cellZoom + depth, options.minZoom), options.maxZoom + 1)
        let rule = MergeRule(minPoints: options.minPoints, minSites: options.minUniqueLocations)
        // Refused nodes that are in doubt stay where they are, and in doubt.
        margin = options.algorithm == .spaced ? 26 : rule.acceptsAnyPair ? 6 : 9
    }

    /// The margin of the first attempt as a share of the world's side.
    public func margin(_ options: ClusterOptions) -> Double {
        guard cutZoom <= options.maxZoom else { return 0 }
        return margin * (cutZoom...options.maxZoom).map(options.radius.distance).reduce(0, max)
    }

    var cells: [TileID] {
        let side = UInt32(1) << UInt32(cellZoom)
        return (0..<side).flatMap { y in
            (0..<side).map { x in TileID(z: UInt8(cellZoom), x: x, y: y) }
        }
    }
}

extension ClusterOptions {
    /// Refuses what cannot be clustered in cells.
    public func checkCells() throws(ClusteringError) {
        if order == .input {
            throw .contradiction(
                "with order 'input' a cluster may hang on points any distance away, so the world "
                    + "cannot be cut into cells; use order 'stable', or more memory")
        }
    }
}

extension CellTask {
    /// The same with more of the world around it.
    public var widened: CellTask {
        var task = self
        task.margin = max(1.5 * margin, cell.width / 64)
        return task
    }
}
