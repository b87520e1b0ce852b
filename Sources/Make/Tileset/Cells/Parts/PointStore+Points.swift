import Points

/// The points that a store has taken.
extension PointStore {
    /// Whether the part of a layer is complete.
    func isWhole(layer: Int) -> Bool { heads[layer] != nil }

    /// The parts that are complete.
    func points() throws(JobError) -> PartPoints {
        let heads = heads.compactMap(\.self)
        return PartPoints(
            recipe: recipe, files: try files(), keys: keys, options: options,
            parts: heads.map(\.name), heads: heads.map(\.head),
            names: heads.map { _ in keys.names }, own: own)
    }
}
