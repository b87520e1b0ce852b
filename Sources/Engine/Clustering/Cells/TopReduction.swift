import Expressions
import ParallelColumns
import Points

/// Computes the attributes of the clusters above all cells from the states that the cells hand up.
struct TopReduction {
    private let hierarchy: Hierarchy
    private let nodes: Frontier
    private let givenRows: [UInt32]
    private let options: ClusterOptions
    private let workers: Workers
    /// All rows: each point that stands for itself is a leaf, numbered by its row.
    private let rows: Column<UInt32>
    /// By aggregate, the record of each cluster of the hierarchy.
    private var records: [[[UInt8]]] = []
    /// The clusters to hand up, and by aggregate their states.
    private let roots: [Int]
    private(set) var rootStates: [[PartialState?]] = []

    /// - Parameter roots: the clusters without a parent that are handed up.
    init(
        _ hierarchy: Hierarchy, _ nodes: Frontier, roots: [Int], _ options: ClusterOptions,
        _ workers: Workers
    ) {
        self.roots = roots
        self.hierarchy = hierarchy
        self.nodes = nodes
        givenRows = hierarchy.givenPoints
        self.options = options
        self.workers = workers
        rows = Column(0..<UInt32(nodes.points.count))
        for (index, aggregate) in options.allAggregates.enumerated() {
            add(aggregate, index, aggregate.operation.makeReducer())
        }
        let properties = options.writtenOutProperties
        guard !properties.isEmpty else { return }
        let reducer = PropertyReducer(properties, leafRows: rows, of: nodes.points)
        let given: [PropertyReducer.State?] = givenStates(options.allAggregates.count).map {
            if case .properties(let values) = $0 { values } else { nil }
        }
        reduce(reducer, given: given) { .properties($0) }
    }

    /// The states of an aggregate for the clusters of the frontier, in the order of the hierarchy.
    private func givenStates(_ aggregate: Int) -> [PartialState?] {
        var states: [UInt32: PartialState] = [:]
        for cluster in nodes.clusters { states[cluster.row] = cluster.states[aggregate] }
        return givenRows.map { states[$0] }
    }

    private mutating func add<Reducer: AggregateReducer>(
        _ aggregate: Aggregate, _ index: Int, _ reducer: Reducer
    ) {
        let points = nodes.points
        var values = LeafValues(
            aggregate.source, as: Reducer.input, leafRows: rows, of: points, workers: workers)
        let given = givenStates(index).map { partial in
            partial.flatMap { reducer.state(of: $0, &values) }
        }
        let names = ResultNames(of: aggregate, values, points.attributes.keys)
        reduce(BoundAggregate(reducer: reducer, values: values, names: names), given: given) {
            reducer.partial(of: $0, values)
        }
    }

    /// Merges states up the hierarchy, children in leaf order.
    private mutating func reduce<Reducer: SubtreeReducer>(
        _ reducer: Reducer, given: [Reducer.State?], partial: (Reducer.State) -> PartialState
    ) {
        var states = given
        var written: [[UInt8]] = Array(repeating: [], count: given.count)
        for cluster in given.count..<hierarchy.count {
            var state: Reducer.State?
            func take(_ next: Reducer.State?) {
                guard let next else { return }
                if state == nil { state = next } else { reducer.merge(&state!, next) }
            }
            if !hierarchy.isDissolved(cluster) {
                for child in hierarchy.childRange(of: cluster) {
                    let node = hierarchy.children[child]
                    if node.isCluster {
                        take(states[node.number].take())
                    } else {
                        for index in hierarchy.sites.range(of: node.number) {
                            take(reducer.state(ofLeaf: Int(hierarchy.sites.points[index])))
                        }
                    }
                }
            }
            var record = RecordBuilder()
            if let state { reducer.write(state, to: &record) }
            states.append(state)
            written.append(record.bytes)
        }
        records.append(written)
        rootStates.append(roots.map { states[$0].map(partial) })
    }

    /// A record for each cluster that was numbered.
    func attributes(
        of numbering: TopNumbering, group: AttributeValue?
    ) -> AttributeTable {
        let keys = nodes.points.attributes.keys
        let inherited = options.inherit.map { keys.intern($0) }
        let count = numbering.clusters.count
        let whole = ClusterTree.Group(value: group, leaves: 0..<0, clusters: 0..<count)
        let groupValues = GroupValues([whole], options, nodes.points)
        var table = AttributeTable(keys: keys)
        for (index, cluster) in numbering.numbersInHierarchy.enumerated() {
            var record = RecordBuilder()
            for written in records { record.append(packed: written[cluster]) }
            if !inherited.isEmpty {
                AttributeReduction.inherit(
                    inherited,
                    fromRow: Int(numbering.clusters[index].representative),
                    of: nodes.points.attributes, to: &record)
            }
            groupValues.append(index, to: &record)
            table.append(record.span, ends: [UInt32(record.byteCount)].span)
        }
        return table
    }
}
