import ArchiveContract
import Basics
import Clustering
import Points

/// Leaves of a layer whose blocks one task makes. The first is that of the layer or of a large
/// cluster, where a block always begins.
struct LeafTask: Sendable {
    /// A cluster that begins before these leaves and holds the first.
    struct Open: Equatable, Sendable {
        let zoom: UInt8
        /// The leaf after its last one.
        let end: Int
    }

    let layer: Int
    /// The numbers of the leaves within the layer.
    var leaves: Range<Int>
    /// The clusters that hold the first leaf, the outermost first.
    let open: [Open]
    /// The squares that hold some of the leaves, or clusters that may begin with them.
    var squares: [Int] = []
    /// The range in the top's file of its clusters that begin with these leaves.
    var clusters = 0..<0

    /// About how many leaves a task has. With small tasks, a later job can take over more of them. In a store, most tasks
    /// should have leaves of few cells (`LeafShare`), but each has a file, of which all machines know.
    static func usualSize(in job: CellJob) -> Int {
        if job.folder.isRemote { return max(1 << 12, job.plan.leafCount >> 12) }
        return job.keepsFiles ? 1 << 15 : 1 << 19
    }

    /// The cells among its squares.
    func cells(of job: CellJob) -> [Int] { squares.filter(job.levels.isCell) }

    /// Cuts a layer into tasks.
    /// - Parameter clusters: those above the cut and those that cells handed up, or at least the large ones among them.
    static func tasks(
        of layer: Int, leafCount: Int, _ clusters: [LargeNode], size: Int
    ) -> [LeafTask] {
        // Of the clusters that begin with a leaf, the outermost comes first.
        let large = clusters.filter(\.isLarge).sorted { ($0.first, $0.zoom) < ($1.first, $1.zoom) }
        var chosen = [0]
        for node in large where node.first - chosen[chosen.count - 1] >= size {
            chosen.append(node.first)
        }
        var (open, next): ([Open], Int) = ([], 0)
        return zip(chosen, chosen.dropFirst() + [leafCount]).map { start, end in
            while next < large.count, large[next].first < start {
                let node = large[next]
                open.removeAll { $0.end <= node.first }
                open.append(Open(zoom: node.zoom, end: node.first + node.leaves))
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

extension LeafTask: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init, \.layer, \.leaves, \.open, \.squares, \.clusters)
    }
}

extension LeafTask.Open: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.zoom, \.end) }
}
