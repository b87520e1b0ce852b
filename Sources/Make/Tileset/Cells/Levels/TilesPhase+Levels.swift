import Clustering
import Points

extension TilesPhase {
    /// The nodes that the tiles of a square above the cells show, and the ids of the clusters formed in it, layer by layer.
    func nodes(
        above number: Int, _ ids: UnusualIDs
    ) throws -> (layers: [CellNodes], ids: [SortedIDs]) {
        let file = try UpperFile(of: number, job)
        var layers = job.plan.layers.map { _ in CellNodes(keys: job.keys) }
        var sorting = job.plan.layers.map { _ in IDSorting() }
        for (index, unit) in job.units.enumerated() {
            try job.checkCancelled()
            var (drawn, own) = (try file.drawn(of: index), try file.clusters(of: index))
            drawn.name(by: ids, unit: index, of: job)
            own.name(by: ids, unit: index, of: job)
            layers[unit.layer].append(drawn)
            sorting[unit.layer].add(own, file.units[index].firstLeaves)
        }
        return (layers, sorting.map(\.sorted))
    }
}
