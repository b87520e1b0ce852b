import CLibrary

/// Positions in a k-d tree that finds neighbours in the order in which Supercluster finds them.
///
/// That order is part of Supercluster's answer where clusters are refused. It depends on every
/// detail: where ranges are cut, how the positions on both sides of the cut end up arranged, and
/// which half is searched first.
struct KDTree {
    private var coordinates: [SIMD2<Double>]
    /// The numbers that the positions had when the tree was made.
    private var items: [UInt32]

    /// Ranges that reach no further than this are not cut.
    private static let leafReach = 64
    /// Selection takes a sample first where a range reaches further than this (CACM 489).
    private static let sampledReach = 600

    /// - Complexity: O(n log n).
    init(_ positions: [SIMD2<Double>]) {
        coordinates = positions
        items = (0..<UInt32(positions.count)).map { $0 }
        arrange(0, positions.count - 1, axis: 0)
    }

    private mutating func arrange(_ left: Int, _ right: Int, axis: Int) {
        guard right - left > Self.leafReach else { return }
        let middle = (left + right) / 2
        select(middle, left, right, axis)
        arrange(left, middle - 1, axis: 1 - axis)
        arrange(middle + 1, right, axis: 1 - axis)
    }

    /// Moves the item that belongs at `rank` there, with no larger items before it and no smaller ones after it,
    /// by Floyd and Rivest's SELECT (CACM algorithm 489).
    private mutating func select(_ rank: Int, _ first: Int, _ last: Int, _ axis: Int) {
        var (left, right) = (first, last)
        while right > left {
            if right - left > Self.sampledReach {
                let sample = Self.sample(around: rank, left, right)
                select(rank, sample.lowerBound, sample.upperBound, axis)
            }
            let split = partition(around: rank, left, right, axis)
            if split <= rank { left = split + 1 }
            if rank <= split { right = split - 1 }
        }
    }

    /// A part of a range whose median is likely to be just off that of the range.
    private static func sample(around rank: Int, _ left: Int, _ right: Int) -> ClosedRange<Int> {
        let count = Double(right - left + 1)
        let ordinal = Double(rank - left + 1)
        let size = 0.5 * exp(2 * log(count) / 3)
        let deviation = 0.5 * (log(count) * size * (count - size) / count).squareRoot()
        let shift = ordinal - count / 2 < 0 ? -deviation : deviation
        let lower = (Double(rank) - ordinal * size / count + shift).rounded(.down)
        let upper = (Double(rank) + (count - ordinal) * size / count + shift).rounded(.down)
        return max(left, Int(lower))...min(right, Int(upper))
    }

    /// Partitions a range by the item at `rank`; returns where that item ends up.
    private mutating func partition(
        around rank: Int, _ left: Int, _ right: Int, _ axis: Int
    ) -> Int {
        let pivot = coordinates[rank][axis]
        swap(left, rank)
        if coordinates[right][axis] > pivot { swap(left, right) }
        var (low, high) = (left, right)
        while low < high {
            swap(low, high)
            low += 1
            high -= 1
            while coordinates[low][axis] < pivot { low += 1 }
            while coordinates[high][axis] > pivot { high -= 1 }
        }
        if coordinates[left][axis] == pivot {
            swap(left, high)
        } else {
            high += 1
            swap(high, right)
        }
        return high
    }

    private mutating func swap(_ first: Int, _ second: Int) {
        coordinates.swapAt(first, second)
        items.swapAt(first, second)
    }
}

extension KDTree {
    /// Calls `body` with each item within the radius of a position.
    func visit(around position: SIMD2<Double>, radius: Double, _ body: (Int) -> Void) {
        let squaredRadius = radius * radius
        func test(_ index: Int) {
            let gap = coordinates[index] - position
            if gap.x * gap.x + gap.y * gap.y <= squaredRadius { body(Int(items[index])) }
        }
        var stack = [(left: 0, right: items.count - 1, axis: 0)]
        while let (left, right, axis) = stack.popLast() {
            guard right - left > Self.leafReach else {
                for index in stride(from: left, through: right, by: 1) { test(index) }
                continue
            }
            let middle = (left + right) / 2
            test(middle)
            // The part that is pushed last is searched first.
            let cut = coordinates[middle][axis]
            if position[axis] - radius <= cut { stack.append((left, middle - 1, 1 - axis)) }
            if position[axis] + radius >= cut { stack.append((middle + 1, right, 1 - axis)) }
        }
    }
}
