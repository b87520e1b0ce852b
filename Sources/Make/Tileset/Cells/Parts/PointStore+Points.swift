import Points

/// What a store says of the points that it has taken.
extension PointStore {
    /// Whether the part of a layer is whole.
    func isWhole(layer: Int) -> Bool { heads[layer] != nil }

    /// The keys that some record of a layer has whose part is whole.
    func usedKeys(ofLayer layer: Int) -> Set<AttributeKey> {
        Set((heads[layer]?.used ?? []).compactMap(keys.key))
    }

    /// The parts that are whole.
    func points() throws(JobError) -> PartPoints {
        let heads = heads.compactMap(\.self)
        return PartPoints(
            recipe: recipe, jobFolder: try folder(), files: try files(), keys: keys,
            options: options, parts: heads.map(\.name), heads: heads,
            names: heads.map { _ in keys.names }, own: own)
    }
}
