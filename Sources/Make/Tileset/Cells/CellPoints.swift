import Clustering
import Geometry
import Points

/// The points that lie in a cell or within a margin around it.
struct CellPoints {
    private let job: CellJob
    private let square: TileID
    private let folder: PartFolder
    private let margin: Double
    /// The stretches of the curve that the cell has, and on which all points are asked for.
    private let own: ClosedRange<UInt64>
    private let inside: CurveStretches
    /// The stretches that run through the cell or its margin.
    private let touched: CurveStretches

    init(_ job: CellJob, of cell: Int, within margin: Double) {
        self.job = job
        square = job.division.cells[cell]
        self.margin = margin
        folder = PartFolder(job.folder, job.recipe, generator: job.plan.generator)
        own = CurveStretches.stretch(of: square)
        inside = CurveStretches(of: square, margin: margin, inside: true)
        touched = CurveStretches(of: square, margin: margin * (1 + 1e-9))
    }

    /// The points of each layer, and a sum over all of them if blocks have sums.
    func read() throws -> (tables: [PointTable], sum: UInt64?) {
        var tables = job.plan.layers.map { _ in PointTable(keys: job.keys) }
        var sum = BlockSums(isKnown: job.keepsFiles)
        try forEachBlock(of: PartIndex(job).blocks(on: touched)) { layer, block, reader in
            let points = try points(of: block, layer, reader)
            sum.include(block, isWhole: isWhole(block), points, of: layer)
            tables[layer].append(points)
        }
        return (tables, sum.value)
    }

    /// The bytes of parts with the points.
    func wanted() throws -> [RemoteFiles.Piece] {
        folder.pieces(of: try PartIndex(job).blocks(on: touched))
    }

    /// A sum over the points, if blocks have sums. Few blocks have to be read for it.
    func sum() throws -> UInt64? { try sum(of: PartIndex(job).blocks(on: touched)) }

    /// Whether the job before had the same points.
    func areThose(of former: FormerJob) throws -> Bool {
        let changed = try former.changedBlocks(in: job)
        let (now, before) = (changed.now(on: touched), changed.before(on: touched))
        if now.isEmpty && before.isEmpty { return true }
        let sum = try sum(of: now)
        return try sum != nil && sum == self.sum(of: before)
    }

    /// A sum over the points of some blocks.
    private func sum(of parts: [WantedBlocks]) throws -> UInt64? {
        var sum = BlockSums(isKnown: true)
        try forEachBlock(of: parts) { layer, block, reader in
            let isWhole = isWhole(block)
            let isRead = sum.isKnown && !isWhole
            let points = isRead ? try points(of: block, layer, reader) : nil
            sum.include(block, isWhole: isWhole, points, of: layer)
        }
        return sum.value
    }

    /// Those points of a block that lie on the ground.
    private func points(
        of block: PartBlock, _ layer: Int, _ reader: PartReader
    ) throws -> PointTable {
        let points = try reader.points(
            of: block, numbered: job.recipe.layers[layer].input.generateID)
        if isWhole(block) { return points }
        var own = PointTable(keys: job.keys)
        own.append(rows(of: points, layer), of: points)
        return own
    }

    private func forEachBlock(
        of parts: [WantedBlocks],
        _ body: (_ layer: Int, PartBlock, PartReader) throws -> Void
    ) throws {
        try folder.fetch(parts)
        for part in parts {
            try job.checkCancelled()
            let reader = try PartReader(part, in: folder, job.keys)
            for block in part.blocks { try body(part.layer, block, reader) }
        }
    }

    private func isWhole(_ block: PartBlock) -> Bool {
        own.contains(block.stretch.lowerBound) && own.contains(block.stretch.upperBound)
            || inside.hold(block.stretch)
    }

    private func rows(of points: PointTable, _ layer: Int) -> [UInt32] {
        let wraps = job.layerOptions[layer].wrap
        let ground = KnownGround(square, margin: margin, wraps: wraps)
        return (0..<UInt32(points.count)).filter { row in
            let position = points.position(of: Int(row))
            let place = position.inSquare(wraps: wraps)
            return TileID(holding: place, zoom: square.z) == square
                || ground.contains(position.x, position.y)
        }
    }
}

/// A sum over points of blocks. Only those of blocks that are not taken as a whole have to be known.
private struct BlockSums {
    /// False if a block has no sum.
    private(set) var isKnown: Bool
    private var blocks: UInt64 = 0
    private var others = PointsSum(isOrdered: false)

    init(isKnown: Bool) { self.isKnown = isKnown }

    var value: UInt64? { isKnown ? blocks &+ others.value : nil }

    /// - Parameter points: those points of the block that count.
    mutating func include(
        _ block: PartBlock, isWhole: Bool, _ points: PointTable?, of layer: Int
    ) {
        guard isKnown, let sum = block.sum else {
            isKnown = false
            return
        }
        if isWhole {
            blocks &+= sum
        } else if let points {
            others.include(points, of: layer)
        }
    }
}
