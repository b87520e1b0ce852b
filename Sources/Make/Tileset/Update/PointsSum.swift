import Points
import Recipes

/// A sum over points: the same for any order and any cut into blocks, and another if a point differs.
struct PointsSum {
    private var sum: UInt64 = 0
    private var names: [UInt64] = []
    private let isOrdered: Bool
    private var count: UInt64 = 0

    /// - Parameter isOrdered: whether the order counts as well.
    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    /// The order counts where clusters depend on it.
    init(for recipe: Recipe) {
        self.init(isOrdered: recipe.layers.contains { $0.clusters?.options.order == .input })
    }

    mutating func include(_ points: PointTable, of layer: Int) {
        let known = names.count
        names += points.attributes.keys.names.dropFirst(known)
            .map { ByteSum.of(Array($0.utf8).span) }
        for row in 0..<points.count {
            count += 1
            var hash = Self.mixed(UInt64(layer), points.xs[row].bitPattern)
            hash = Self.mixed(hash, points.ys[row].bitPattern)
            hash = Self.mixed(hash, (points.weights?[row] ?? 1).bitPattern)
            hash = Self.mixed(hash, points.ids?[row] ?? PointTable.noID)
            // Attributes count for the same in any order.
            hash = Self.mixed(hash, sum(ofAttributesOf: row, points))
            sum &+= isOrdered ? Self.mixed(hash, count) : hash
        }
    }

    private func sum(ofAttributesOf row: Int, _ points: PointTable) -> UInt64 {
        points.attributes.withRecord(of: row) { record in
            var sum: UInt64 = 0
            var cursor = record.makeCursor()
            while let attribute = cursor.next() {
                sum &+= Self.mixed(
                    names[Int(attribute.key.number)], ByteSum.of(attribute.value.bytes))
            }
            return sum
        }
    }

    private static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = (a ^ (b &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return product ^ (product >> 32)
    }

    /// Sixteen digits.
    var text: String {
        let digits = String(Self.mixed(sum, count), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
