import Geometry

/// Cuts items that come along the Hilbert curve into runs, each of the largest square that holds no more than a
/// limit. The end of a run depends only on items nearby.
package struct SquareCutter: Sendable {
    /// The order of the curve that keys are counted on.
    package static let order: UInt8 = UInt8(NameGrid.finestBits)

    private let most: Int64
    private var waiting: [(key: UInt64, weight: Int64)] = []
    private var weight: Int64 = 0
    /// The depth of the deepest square that holds the waiting items and is known to hold too much.
    private var fullDepth = -1

    package init(most: Int64) { self.most = most }

    /// The square that a position lies in; beyond the world's edge, the nearest square at the edge.
    package static func key(of position: GridPoint) -> UInt64 {
        func cell(_ step: Int32) -> UInt32 {
            UInt32(min(max(step >> Int32(30 - order), 0), (1 << Int32(order)) - 1))
        }
        return Hilbert.distance(x: cell(position.x), y: cell(position.y), order: order)
    }

    /// Adds the next item.
    /// - Parameters:
    ///   - key: the square on the curve that the item lies in.
    ///   - weighing: how much it counts towards the limit.
    /// - Returns: the runs that are known to end now, each as its number of items.
    package mutating func add(_ key: UInt64, weighing: Int64) -> [Int] {
        var runs: [Int] = []
        // When the curve starts again, a new series of runs starts.
        if let last = waiting.last, key < last.key { runs = finish() }
        if let last = waiting.last {
            let common = Self.depth(last.key, key)
            if common <= fullDepth, common < Self.order {
                runs.append(takeRun(of: waiting.count))
                fullDepth = common
            }
        }
        waiting.append((key, weighing))
        weight += weighing
        while weight > most, waiting.count > 1 { split(&runs) }
        return runs
    }

    /// Ends the last run.
    package mutating func finish() -> [Int] {
        fullDepth = -1
        return waiting.isEmpty ? [] : [takeRun(of: waiting.count)]
    }

    /// Cuts the waiting items, which are too much for the smallest square around them, into the squares within.
    private mutating func split(_ runs: inout [Int]) {
        let last = waiting[waiting.count - 1].key
        fullDepth = Self.depth(waiting[0].key, last)
        guard fullDepth < Self.order else {
            return runs.append(takeRun(of: waiting.count - 1))
        }
        let within = fullDepth + 1
        while let first = waiting.first?.key, Self.depth(first, last) < within {
            let count = waiting.prefix { Self.depth($0.key, first) >= within }.count
            runs.append(takeRun(of: count))
        }
    }

    private mutating func takeRun(of count: Int) -> Int {
        weight -= waiting.prefix(count).reduce(0) { $0 + $1.weight }
        waiting.removeFirst(count)
        return count
    }

    /// The depth of the smallest square that holds both keys.
    private static func depth(_ a: UInt64, _ b: UInt64) -> Int {
        let bits = UInt64.bitWidth - (a ^ b).leadingZeroBitCount
        return Int(order) - (bits + 1) / 2
    }
}
