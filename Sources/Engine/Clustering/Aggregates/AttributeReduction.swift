import Expressions
import ParallelColumns
import Points

/// Values of points that an aggregate could not use.
public struct SkippedValues: Equatable, Sendable {
    /// What stands for an aggregate's name where the points without the number that places a cluster are counted.
    static let position = "position"

    public var aggregate: String
    /// Points that have no such value.
    public var missing: Int
    /// Points whose value is of the wrong kind.
    public var unusable: Int

    public init(aggregate: String, missing: Int, unusable: Int) {
        self.aggregate = aggregate
        self.missing = missing
        self.unusable = unusable
    }
}

/// Computes the attributes of all clusters of a tree.
struct AttributeReduction: Sendable {
    private let columns: TreeColumns
    private let points: PointTable
    private let options: ClusterOptions
    private let workers: Workers
    private let reduction: SubtreeReduction
    private var runs: [[PackedRun]] = []
    private var skipped: [SkippedValues] = []
    /// By aggregate, the states of the clusters without a parent, if they are kept.
    private var rootStates: [[PartialState?]] = []
    private let keepsRoots: Bool

    /// The attributes of all clusters, and by aggregate the states of those without a parent, if they are kept.
    struct Result {
        var attributes: AttributeTable
        var skipped: [SkippedValues]
        var rootStates: [[PartialState?]]
    }

    static func run(
        _ columns: TreeColumns, _ groups: [ClusterTree.Group], _ points: PointTable,
        _ options: ClusterOptions, _ workers: Workers, keepingRoots: Bool = false
    ) -> Result {
        var reduction = AttributeReduction(columns, points, options, workers, keepingRoots)
        reduction.addAll()
        return Result(
            attributes: reduction.makeTable(GroupValues(groups, options, points)),
            skipped: reduction.skipped, rootStates: reduction.rootStates)
    }

    private init(
        _ columns: TreeColumns, _ points: PointTable, _ options: ClusterOptions, _ workers: Workers,
        _ keepsRoots: Bool
    ) {
        self.keepsRoots = keepsRoots
        self.columns = columns
        self.points = points
        self.options = options
        self.workers = workers
        reduction = SubtreeReduction(columns, workers: workers)
    }

    private mutating func addAll() {
        for aggregate in options.allAggregates {
            // Named types, so that the compiler specializes the loops for each.
            switch aggregate.operation.makeReducer() {
            case let reducer as SumReducer: add(aggregate, reducer)
            case let reducer as ExtremeReducer: add(aggregate, reducer)
            case let reducer as MeanReducer: add(aggregate, reducer)
            case let reducer as CountReducer: add(aggregate, reducer)
            case let reducer as FacetReducer<Int>: add(aggregate, reducer)
            case let reducer as FacetReducer<Double>: add(aggregate, reducer)
            case let reducer: add(aggregate, reducer)
            }
        }
        add(options.writtenOutProperties)
        switch options.position {
        // Points without a number would have been chosen only if no other had one.
        case .max(let name), .min(let name):
            let values = LeafValues(
                .attribute(name), as: .number, leafRows: columns.leafRows, of: points,
                workers: workers)
            noteSkipped(values, SkippedValues.position)
        case .centroid, .anchor, .nearest: break
        }
    }

    private mutating func noteSkipped(_ values: LeafValues, _ name: String) {
        guard values.missing + values.unusable > 0 else { return }
        skipped.append(
            SkippedValues(aggregate: name, missing: values.missing, unusable: values.unusable))
    }

    private mutating func add<Reducer: AggregateReducer>(
        _ aggregate: Aggregate, _ reducer: Reducer
    ) {
        let values = LeafValues(
            aggregate.source, as: Reducer.input, leafRows: columns.leafRows, of: points,
            workers: workers)
        noteSkipped(values, aggregate.name)
        let names = ResultNames(of: aggregate, values, points.attributes.keys)
        add(BoundAggregate(reducer: reducer, values: values, names: names)) {
            reducer.partial(of: $0, values)
        }
    }

    private mutating func add<Reducer: SubtreeReducer>(
        _ reducer: Reducer, partial: (Reducer.State) -> PartialState
    ) {
        let (run, roots) = reduction.run(reducer)
        runs.append(run)
        if keepsRoots { rootStates.append(roots.map { $0.map(partial) }) }
    }

    private mutating func add(_ properties: [ClusterProperty]) {
        guard !properties.isEmpty else { return }
        let reducer = PropertyReducer(properties, leafRows: columns.leafRows, of: points)
        add(reducer) { .properties($0) }
        skipped += reducer.skipped(columns.leafParents, workers)
    }

    /// Joins what the reducers wrote into one record for each cluster; each chunk of it is released when that is
    /// done, so that little is in memory twice.
    private mutating func makeTable(_ groupValues: GroupValues) -> AttributeTable {
        var table = AttributeTable(keys: points.attributes.keys)
        let inherited = options.inherit.map { points.attributes.keys.intern($0) }
        let portions = reduction.pieces.enumerated().flatMap { piece, clusters in
            PackedRun(clusters: clusters).chunkRanges.map { Portion(piece: piece, clusters: $0) }
        }
        for start in stride(from: 0, to: portions.count, by: workers.count) {
            let next = Array(portions[start..<min(start + workers.count, portions.count)])
            for packed in packed(next, inheriting: inherited, groupValues) {
                table.append(packed.records.span, ends: packed.ends.span)
            }
            for portion in next {
                for run in runs.indices {
                    runs[run][portion.piece].release(chunkOf: portion.clusters.lowerBound)
                }
            }
        }
        return table
    }

    /// Clusters whose records are in one chunk of each run.
    private struct Portion: Sendable {
        let piece: Int
        let clusters: Range<Int>
    }

    private struct PackedPortion: Sendable {
        var records = RecordBuilder()
        var ends: [UInt32] = []
    }

    private func packed(
        _ portions: [Portion], inheriting keys: [AttributeKey], _ groupValues: GroupValues
    ) -> [PackedPortion] {
        workers.map(portions) { pack($0, inheriting: keys, groupValues) }
    }

    private func pack(
        _ portion: Portion, inheriting keys: [AttributeKey], _ groupValues: GroupValues
    ) -> PackedPortion {
        var packed = PackedPortion()
        packed.ends.reserveCapacity(portion.clusters.count)
        for cluster in portion.clusters {
            for run in runs { run[portion.piece].append(cluster, to: &packed.records) }
            if !keys.isEmpty {
                Self.inherit(
                    keys, fromRow: Int(columns.representatives[cluster]), of: points.attributes,
                    to: &packed.records)
            }
            groupValues.append(cluster, to: &packed.records)
            packed.ends.append(UInt32(packed.records.byteCount))
        }
        return packed
    }

    /// Packs what a cluster inherits from the point that represents it.
    static func inherit(
        _ keys: [AttributeKey], fromRow row: Int, of attributes: AttributeTable,
        to records: inout RecordBuilder
    ) {
        let record = attributes[row]
        for key in keys {
            guard let value = record.value(of: key) else { continue }
            records.append(key, packed: value)
        }
    }
}
