import Geometry

/// The shape of a cluster over several blocks, found while they come one after another: what
/// `OutlineSource` finds where all of them are at hand.
struct GrowingOutline {
    private let record: ClusterRecord
    private let layout: LeafBlockLayout
    private var corners: [GridPoint] = []
    /// The points of the blocks that the cluster begins and ends in.
    private var ends: [Int64: [GridPoint]] = [:]
    /// The widest of the others, as many as are ever looked into.
    private var widest: [(width: Double, block: Int64, points: [GridPoint])] = []

    init(of record: ClusterRecord, _ layout: LeafBlockLayout) {
        self.record = record
        self.layout = layout
    }

    /// Takes a part of a block that lies in the cluster.
    /// - Parameters:
    ///   - points: all points of the block.
    ///   - hull: the corners of their hull.
    mutating func include(_ part: BlockParts.Part, points: [GridPoint], hull: [GridPoint]) {
        var block = KnownBlocks(layout: layout, hull: { _ in hull }, points: { _ in points })
        block.add(cornersOf: part, around: record.position.x, to: &corners)
        guard part.isWhole else {
            ends[part.block] = points
            return
        }
        let box = WorldBox(around: hull.map(\.worldPoint))
        widest.append((box.maxX - box.minX, part.block, points))
        guard widest.count > OutlineLimits.mostBlocksRead else { return }
        if let least = widest.indices.min(by: { widest[$0].width < widest[$1].width }) {
            widest.remove(at: least)
        }
    }

    /// The shape, when all parts have come.
    /// - Parameter reaches: those of the cluster's blocks at least, by their numbers.
    func shape(among reaches: [BlockReach]) -> ClusterShape {
        var blocks = KnownBlocks(
            layout: layout, hull: { reaches[Int($0)].hull },
            points: { number in
                ends[number] ?? widest.first { $0.block == number }?.points ?? []
            })
        return ClusterShape(
            box: GridBox(blocks.outlineBox(of: record.leaves)) ?? ClusterShape.empty.box,
            corners: GridHull(of: corners).corners)
    }
}

/// Blocks of which hulls and points are at hand.
private struct KnownBlocks: OutlineSource {
    let layout: LeafBlockLayout
    let hull: (Int64) -> [GridPoint]
    let points: (Int64) -> [GridPoint]

    func outline(ofBlock number: Int64) -> [GridPoint] { hull(number) }
    func points(of part: BlockParts.Part) -> [GridPoint] {
        Array(points(part.block)[part.indexes])
    }
}
