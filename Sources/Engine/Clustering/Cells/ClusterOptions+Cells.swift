extension ClusterOptions {
    /// How many passes a zoom is supposed to take at most, until a cell finds more.
    public static let usualPassLimit = 6

    /// How far around a cell points are looked at in the first attempt, as a share of the world's side.
    ///
    /// `radii` is the margin in radii of the cut zoom; nil is what mostly suffices.
    public func cellMargin(cutZoom: Int, radii: Double?) -> Double {
        guard cutZoom <= maxZoom else { return 0 }
        return (radii ?? usualMarginRadii)
            * (cutZoom...maxZoom).map(radius.distance).reduce(0, max)
    }

    private var usualMarginRadii: Double {
        let rule = MergeRule(minPoints: minPoints, minSites: minUniqueLocations)
        // Refused nodes that are in doubt stay where they are, and in doubt.
        return algorithm == .spaced ? 26 : rule.acceptsAnyPair ? 6 : 9
    }

    /// Whether what cells hand up can be clustered in squares again. Not where each node has an order of visits of its own, nor in a
    /// grid, where nodes take part elsewhere than they are drawn, nor on a flat world, whose tiles show what is beyond the other edge
    /// and not near in it.
    public var mayBeCutAgain: Bool {
        let rule = MergeRule(minPoints: minPoints, minSites: minUniqueLocations)
        guard wrap else { return false }
        return algorithm == .spaced || algorithm == .greedy && rule.acceptsAnyPair
    }

    /// Refuses what cannot be clustered in cells.
    public func checkCells() throws(ClusteringError) {
        if order == .input {
            throw .contradiction(
                "with order 'input' a cluster may depend on points any distance away, so the world "
                    + "cannot be cut into cells; order 'stable' lets it")
        }
        if position == .nearest {
            throw .contradiction(
                "with position 'nearest' each zoom looks at all points of a cluster again, so they "
                    + "must all be in memory; position 'anchor' is a point, too, and needs no more")
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
