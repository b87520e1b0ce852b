import Expressions
import JSON
import Points

/// MapLibre's `clusterProperties`, evaluated as they are written.
///
/// A value that is missing, or that an expression cannot use, is skipped.
struct PropertyReducer: SubtreeReducer {
    private let maps: [BoundExpression]
    private let reducers: [BoundExpression]
    private let keys: [AttributeKey]
    private let leafRows: Column<UInt32>
    private let points: PointTable

    init(_ properties: [ClusterProperty], leafRows: Column<UInt32>, of points: PointTable) {
        let table = points.attributes.keys
        let names = properties.map(\.name)
        maps = properties.map { $0.map.bound(to: table) }
        reducers = properties.map { $0.reduce.bound(to: table, properties: names) }
        keys = names.map(table.intern)
        self.leafRows = leafRows
        self.points = points
    }

    func state(ofLeaf leaf: Int) -> [ExpressionValue]? {
        let row = Int(leafRows[leaf])
        let id = points.ids?[row] ?? PointTable.noID
        return maps.map { $0.value(points.attributes[row], id: id) }
    }

    func merge(_ state: inout [ExpressionValue], _ next: [ExpressionValue]) {
        for index in state.indices where next[index] != .null {
            guard state[index] != .null else {
                state[index] = next[index]
                continue
            }
            let joined = reducers[index].reduced(
                accumulated: state[index], properties: next.span)
            if joined != .null { state[index] = joined }
        }
    }

    func write(_ state: [ExpressionValue], to records: inout RecordBuilder) {
        for (key, value) in zip(keys, state) { records.append(key, value) }
    }
}
