import ParallelColumns
import Points

extension ClusterTree {
    /// Clusters points cell by cell; the tree is the one that they have when they are clustered at once.
    ///
    /// `keep` is given each piece, and gives it back when all are there; `report` is told what each cell
    /// took.
    public init(
        of points: PointTable, options: ClusterOptions, cells plan: CellPlan, firstLeaf: Int = 0,
        threads: Int = 2, keeping keep: (CellPiece) -> CellPiece = { $0 },
        report: (CellReport) -> Void = { _ in }
    ) throws(ClusteringError) {
        try options.validate()
        try options.checkCells()
        var columns = TreeColumns()
        var groups: [Group] = []
        var attributes = AttributeTable(keys: points.attributes.keys)
        var skipped = SkippedSums()
        for part in try GroupSplit(points, options).parts {
            let input = try ClusterInput(
                points, subset: part.rows, options: options, arena: Arena())
            let cut = CutHierarchy(input, group: part.value, plan, threads: threads)
            let pieces = try cut.pieces(report).map(keep)
            let before = (leaves: columns.leafRows.count, clusters: columns.firsts.count)
            let joined = PieceJoin(pieces, try cut.top(over: pieces), options)
            joined.append(to: &attributes)
            columns.append(joined.columns)
            for piece in pieces { skipped.add(piece.skipped) }
            groups.append(
                Group(
                    value: part.value, leaves: before.leaves..<columns.leafRows.count,
                    clusters: before.clusters..<columns.firsts.count))
        }
        self.init(
            firstLeaf: firstLeaf, minZoom: options.minZoom, columns: columns, groups: groups,
            attributes: attributes, skippedValues: skipped.inOrder(of: options))
    }
}

/// What a cell took.
public struct CellReport: Sendable {
    /// How many points stand in the cell's tree, and how many were looked at in its last attempt.
    public var points: Int
    public var loaded: Int
    /// How often it was run.
    public var attempts: Int
    public var passLimit: Int
}

/// Values that aggregates skipped, over several parts of the world.
public struct SkippedSums: Sendable {
    private var sums: [String: SkippedValues] = [:]

    public init() {}

    public mutating func add(_ part: [SkippedValues]) {
        for skipped in part {
            var sum =
                sums[skipped.aggregate]
                ?? SkippedValues(aggregate: skipped.aggregate, missing: 0, unusable: 0)
            sum.missing += skipped.missing
            sum.unusable += skipped.unusable
            sums[skipped.aggregate] = sum
        }
    }

    public func inOrder(of options: ClusterOptions) -> [SkippedValues] {
        (options.allAggregates.map(\.name) + options.writtenOutProperties.map(\.name))
            .compactMap { sums[$0] }
    }
}

/// One hierarchy cut into cells.
struct CutHierarchy {
    private let input: ClusterInput
    private let group: AttributeValue?
    private let plan: CellPlan
    private let threads: Int
    private let spool: PointSpool

    init(_ input: ClusterInput, group: AttributeValue?, _ plan: CellPlan, threads: Int) {
        self.input = input
        self.group = group
        self.plan = plan
        self.threads = threads
        spool = PointSpool(input, cellZoom: plan.cellZoom)
    }

    /// What each cell has, in the order of the cells.
    ///
    /// A cell that cannot be certain looks further around. If a zoom takes more passes than were
    /// supposed, no cell can be certain, and all are run again.
    func pieces(_ report: (CellReport) -> Void) throws(ClusteringError) -> [CellPiece] {
        var passLimit = plan.passLimit
        while true {
            if let pieces = try pieces(passLimit, report) { return pieces }
            passLimit *= 2
        }
    }

    private func pieces(
        _ passLimit: Int, _ report: (CellReport) -> Void
    ) throws(ClusteringError) -> [CellPiece]? {
        var pieces: [CellPiece] = []
        for cell in plan.cells {
            var task = CellTask(
                cell: cell, cutZoom: plan.cutZoom, margin: plan.margin(input.options),
                passLimit: passLimit)
            var attempts = 1
            attempt: while true {
                switch try make(task) {
                case .settled(let piece):
                    report(
                        CellReport(
                            points: piece.columns.leafRows.count, loaded: piece.loadedCount,
                            attempts: attempts, passLimit: passLimit))
                    pieces.append(piece)
                    break attempt
                case .failed(.marginTooNarrow):
                    task = task.widened
                    attempts += 1
                case .failed(.tooManyPasses): return nil
                }
            }
        }
        return pieces
    }

    private func make(_ task: CellTask) throws(ClusteringError) -> CellPiece.Outcome {
        try CellPiece.make(
            of: input.table, rows: spool.rows(for: task), group: group, task,
            options: input.options, threads: threads)
    }

    func top(over pieces: [CellPiece]) throws(ClusteringError) -> TopTree {
        var nodes = HandedUpNodes(keys: input.table.attributes.keys)
        for piece in pieces { nodes.append(piece.nodes) }
        return try TopTree(
            of: nodes, group: group, cutZoom: plan.cutZoom, options: input.options,
            members: PieceMembers(pieces, input.table, input.options), threads: threads)
    }
}

extension HandedUpNodes {
    /// Appends nodes whose attributes have the same keys.
    public mutating func append(_ other: HandedUpNodes) {
        let first = UInt32(points.count)
        points.append(
            PointBatch(Column(0..<UInt32(other.points.count)).span, of: other.points))
        for var cluster in other.clusters {
            cluster.row += first
            clusters.append(cluster)
        }
        visits.append(other.visits)
    }
}
