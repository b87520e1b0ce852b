import ParallelColumns

/// The clusters that formed in a pass, as nodes of a level that is not sorted yet.
struct FormedClusters: Sendable {
    let nodes: Level
    /// The node that each grew from, in the level where they formed.
    var leads: SharedColumn<UInt32>?

    var count: Int { nodes.count }

    /// - Parameter number: The number of the first in the hierarchy.
    init(_ batches: [ClusterBatch], number: Int, like level: Level, workers: Workers) {
        let ends = batches.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
        let count = ends[batches.count]
        nodes = level.makeEmpty(count: count, rows: level.rows, in: workers.scratch)
        let leads = SharedColumn<UInt32>(count: count, in: workers.scratch)
        self.leads = leads
        workers.forEach(batches.count) { [nodes] piece in
            let batch = batches[piece]
            for index in 0..<batch.count {
                let place = ends[piece] + index
                leads[place] = batch.leads[index]
                nodes.node[place] = .cluster(number + place)
                nodes.set(place, to: index, of: batch)
            }
        }
    }
}

extension Level {
    fileprivate func set(_ place: Int, to index: Int, of batch: ClusterBatch) {
        let isMoved = batch.searchX.isEmpty
        x[place] = isMoved ? batch.x[index] : batch.searchX[index]
        y[place] = isMoved ? batch.y[index] : batch.searchY[index]
        rank[place] = batch.rank[index]
        points[place] = batch.points[index]
        if let weight { weight[place] = batch.weight[index] }
        if let places { places[place] = batch.places[index] }
    }
}
