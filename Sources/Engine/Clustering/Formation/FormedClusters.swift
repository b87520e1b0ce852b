import ParallelColumns

/// The clusters that formed in a pass, as nodes of a level that is not sorted yet.
struct FormedClusters: Sendable {
    let nodes: Level
    /// The node that each grew from, in the level where they formed.
    var seeds: SharedColumn<UInt32>?

    var count: Int { nodes.count }

    /// Clusters still to be written.
    init(count: Int, like level: Level, scratch: Arena) {
        nodes = level.makeEmpty(count: count, bands: level.bands, in: scratch)
        seeds = SharedColumn(count: count, in: scratch)
    }
}
