import CLibrary
import TestSupport

/// The tree in which Supercluster looks for neighbours, as kdbush writes it: one array of numbers, two a point.
struct PlainKDTree {
    private(set) var ids: [Int]
    private(set) var coords: [Double]
    private let nodeSize = 64

    init(_ positions: [SIMD2<Double>]) {
        ids = Array(positions.indices)
        coords = positions.flatMap { [$0.x, $0.y] }
        sort(0, ids.count - 1, 0)
    }

    private mutating func sort(_ left: Int, _ right: Int, _ axis: Int) {
        if right - left <= nodeSize { return }
        let m = (left + right) >> 1
        select(m, left, right, axis)
        sort(left, m - 1, 1 - axis)
        sort(m + 1, right, 1 - axis)
    }

    private mutating func select(_ k: Int, _ first: Int, _ last: Int, _ axis: Int) {
        var (left, right) = (first, last)
        while right > left {
            if right - left > 600 {
                let n = Double(right - left + 1)
                let m = Double(k - left + 1)
                let z = log(n)
                let s = 0.5 * exp(2 * z / 3)
                let sd = 0.5 * (z * s * (n - s) / n).squareRoot() * (m - n / 2 < 0 ? -1 : 1)
                let newLeft = max(left, Int((Double(k) - m * s / n + sd).rounded(.down)))
                let newRight = min(right, Int((Double(k) + (n - m) * s / n + sd).rounded(.down)))
                select(k, newLeft, newRight, axis)
            }
            let t = coords[2 * k + axis]
            var i = left
            var j = right
            swapItem(left, k)
            if coords[2 * right + axis] > t { swapItem(left, right) }
            while i < j {
                swapItem(i, j)
                i += 1
                j -= 1
                while coords[2 * i + axis] < t { i += 1 }
                while coords[2 * j + axis] > t { j -= 1 }
            }
            if coords[2 * left + axis] == t {
                swapItem(left, j)
            } else {
                j += 1
                swapItem(j, right)
            }
            if j <= k { left = j + 1 }
            if k <= j { right = j - 1 }
        }
    }

    private mutating func swapItem(_ i: Int, _ j: Int) {
        ids.swapAt(i, j)
        coords.swapAt(2 * i, 2 * j)
        coords.swapAt(2 * i + 1, 2 * j + 1)
    }

    func within(_ qx: Double, _ qy: Double, _ r: Double) -> [Int] {
        var stack = [0, ids.count - 1, 0]
        var result: [Int] = []
        func test(_ i: Int) {
            let (dx, dy) = (coords[2 * i] - qx, coords[2 * i + 1] - qy)
            if dx * dx + dy * dy <= r * r { result.append(ids[i]) }
        }
        while let axis = stack.popLast(), let right = stack.popLast(), let left = stack.popLast() {
            if right - left <= nodeSize {
                for i in stride(from: left, through: right, by: 1) { test(i) }
                continue
            }
            let m = (left + right) >> 1
            test(m)
            let (x, y) = (coords[2 * m], coords[2 * m + 1])
            if axis == 0 ? qx - r <= x : qy - r <= y { stack += [left, m - 1, 1 - axis] }
            if axis == 0 ? qx + r >= x : qy + r >= y { stack += [m + 1, right, 1 - axis] }
        }
        return result
    }
}
