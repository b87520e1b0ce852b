extension ClusterOptions {
    /// The most passes that a zoom is assumed to take, until a cell finds more.
    public static let usualPassLimit = 6

    /// The margin around a cell for the first attempt, as a share of the world's side.
    ///
    /// `radii` is the margin in radii of the cut zoom; nil takes what is usually enough.
    public func cellMargin(cutZoom: Int, radii: Double?) -> Double {
        guard cutZoom <= maxZoom else { return 0 }
        return (radii ?? usualMarginRadii)
            * (cutZoom...maxZoom).map(radius.distance).reduce(0, max)
    }

    private var usualMarginRadii: Double {
        let rule = MergeRule(minPoints: minPoints, minSites: minUniqueLocations)
        // Refused nodes that are in doubt stay where they are, and stay in doubt.
        return algorithm == .spaced ? 26 : rule.acceptsAnyPair ? 6 : 9
    }

    /// Whether the frontier of cells can be clustered in squares again. It cannot if each node has an order of
    /// visits of its own, in a grid, where nodes take part elsewhere than they are drawn, or on a flat world,
    /// whose tiles show nodes beyond the opposite edge that are not near there.
    public var mayBeCutAgain: Bool {
        let rule = MergeRule(minPoints: minPoints, minSites: minUniqueLocations)
        guard wrap else { return false }
        return algorithm == .spaced || algorithm == .greedy && rule.acceptsAnyPair
    }

    /// Throws if the options rule out clustering in cells.
    public func checkCells() throws(ClusteringError) {
        if order == .input {
            throw .contradiction(
                "with order 'input' a cluster may depend on points any distance away, so the world "
                    + "cannot be cut into cells; use order 'stable'")
        }
        if position == .nearest {
            throw .contradiction(
                "with position 'nearest' each zoom looks at all points of a cluster again, so they "
                    + "must all be in memory; position 'anchor' is one of the points, too")
        }
    }
}

extension CellTask {
    /// The same task with a wider margin.
    public var widened: CellTask {
        var task = self
        task.margin = max(1.5 * margin, cell.width / 64)
        return task
    }
}
