import ArchiveContract
import Basics
import Clustering
import Points

/// Leaves of a layer of which one task makes blocks. They begin with the layer or where a large cluster does: blocks end
/// there, wherever else they do.
struct LeafTask: Sendable {
    /// A cluster that begins before the leaves and holds the first.
    struct Open: Equatable, Sendable {
        let zoom: UInt8
        /// Where it ends.
        let end: Int
    }

    let layer: Int
    /// Their numbers within the layer.
    var leaves: Range<Int>
    /// The outermost first.
    let open: [Open]
    /// The cells that hold some of them.
    var cells: [Int] = []
    /// Where the clusters above the cut lie in the file of the top that begin with them.
    var clusters = 0..<0

    /// About how many leaves a task has. Of small ones more are the same in a job to come.
    static func usualSize(in job: CellJob) -> Int { job.keepsFiles ? 1 << 17 : 1 << 19 }

    /// Cuts a layer.
    /// - Parameters:
    ///   - clusters: those above the cut, in their order.
    ///   - handedUp: where clusters begin that were handed up, and how many leaves each has.
    static func tasks(
        of layer: Int, leafCount: Int, _ clusters: LooseNodes,
        _ handedUp: [(first: UInt32, leaves: UInt32)], size: Int
    ) -> [LeafTask] {
        let least = UInt32(LeafBlockLayout.mostLeaves)
        var starts = handedUp.filter { $0.leaves > least }.map { Int($0.first) }
        for row in 0..<clusters.firsts.count where clusters.leaves[row] > least {
            starts.append(Int(clusters.firsts[row]))
        }
        var chosen = [0]
        for start in starts.sorted() where start - chosen[chosen.count - 1] >= size {
            chosen.append(start)
        }
        var (open, next): ([Open], Int) = ([], 0)
        return zip(chosen, chosen.dropFirst() + [leafCount]).map { start, end in
            while next < clusters.firsts.count, Int(clusters.firsts[next]) < start {
                let first = Int(clusters.firsts[next])
                open.removeAll { $0.end <= first }
                open.append(
                    Open(
                        zoom: UInt8(clusters.zooms[next]),
                        end: first + Int(clusters.leaves[next])))
                next += 1
            }
            open.removeAll { $0.end <= start }
            return LeafTask(layer: layer, leaves: start..<end, open: open)
        }
    }
}

extension [LeafTask] {
    /// The task of a layer that has a leaf.
    func index(ofLeaf leaf: Int, layer: Int) -> Int {
        indices.partitionPoint { (self[$0].layer, self[$0].leaves.upperBound) > (layer, leaf) }
    }
}

extension BlockSink {
    mutating func write(_ task: LeafTask) {
        write(task.layer)
        write(task.leaves)
        write(task.open) { sink, open in
            sink.write(byte: open.zoom)
            sink.write(open.end)
        }
        write(task.cells) { $0.write(varint: $1) }
        write(task.clusters)
    }
}

extension BlockSource {
    mutating func leafTask(layers: Int, cells: Int) throws(Damaged) -> LeafTask {
        let (layer, leaves) = (try int(), try range())
        let open = try array { (source) throws(Damaged) in
            LeafTask.Open(zoom: try source.byte(), end: try source.int())
        }
        let own = try array { (source) throws(Damaged) in try source.varint() }
        guard (0..<layers).contains(layer), own.allSatisfy({ $0 < cells }) else { throw Damaged() }
        var task = LeafTask(layer: layer, leaves: leaves, open: open, cells: own)
        task.clusters = try self.range()
        return task
    }
}
