import Expressions
import JSON
import ParallelColumns
import Points
import Synchronization

/// MapLibre's `clusterProperties`, evaluated as they are written.
///
/// A value that is missing, or that an expression cannot use, is skipped and counted.
struct PropertyReducer: SubtreeReducer {
    private let properties: [ClusterProperty]
    private let maps: [BoundExpression]
    private let reducers: [BoundExpression]
    private let skips: [SkipCount]
    private let keys: [AttributeKey]
    private let leafRows: Column<UInt32>
    private let points: PointTable

    init(_ properties: [ClusterProperty], leafRows: Column<UInt32>, of points: PointTable) {
        let table = points.attributes.keys
        let names = properties.map(\.name)
        self.properties = properties
        skips = properties.map { _ in SkipCount() }
        maps = properties.map { $0.map.bound(to: table) }
        reducers = properties.map { $0.reduce.bound(to: table, properties: names) }
        keys = names.map(table.intern)
        self.leafRows = leafRows
        self.points = points
    }

    func state(ofLeaf leaf: Int) -> [ExpressionValue]? {
        let row = Int(leafRows[leaf])
        let id = points.ids?[row] ?? PointTable.noID
        return maps.indices.map { usable(maps[$0].value(points.attributes[row], id: id), $0) }
    }

    /// The value if it can be joined with others, else null.
    ///
    /// Where the reduction yields numbers, anything else would spoil it for the whole cluster.
    private func usable(_ value: ExpressionValue, _ index: Int) -> ExpressionValue {
        let wantsNumber = properties[index].reduce.type == .number
        switch value {
        case .null: skips[index].missing.add(1, ordering: .relaxed)
        case .integer, .unsigned: return value
        case .number(let number) where number.isFinite: return value
        case .bool, .string, .array, .object:
            if !wantsNumber { return value }
            fallthrough
        case .number: skips[index].unusable.add(1, ordering: .relaxed)
        }
        return .null
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
        for (key, value) in zip(keys, state) {
            if case .number(let number) = value {
                records.append(key, result: number)
            } else {
                records.append(key, value)
            }
        }
    }
}

extension PropertyReducer {
    /// How many values were skipped. Each leaf is asked for once, so the order does not matter.
    private final class SkipCount: Sendable {
        let missing = Atomic(0)
        let unusable = Atomic(0)
    }

    /// The skipped values of all leaves, including those in no cluster, which the reduction did not read.
    func skipped(_ leafParents: Column<UInt32>, _ workers: Workers) -> [SkippedValues] {
        workers.forEachRange(of: leafParents.count) { range in
            for leaf in range where leafParents[leaf] == ClusterTree.noParent {
                _ = state(ofLeaf: leaf)
            }
        }
        return zip(properties, skips).compactMap { property, skip in
            let missing = skip.missing.load(ordering: .relaxed)
            let unusable = skip.unusable.load(ordering: .relaxed)
            guard missing + unusable > 0 else { return nil }
            return SkippedValues(aggregate: property.name, missing: missing, unusable: unusable)
        }
    }
}
