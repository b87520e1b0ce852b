import Points
import Recipes

/// A sum over points: the same for any order and any division into blocks, but different if a point differs.
struct PointsSum {
    private var sum: UInt64 = 0
    private var names: [UInt64] = []
    private var layer: Int?
    private let isOrdered: Bool
    private var count: UInt64 = 0

    /// - Parameter isOrdered: whether the order counts as well.
    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    /// The sum over a number of points, of which only the value is known.
    init(_ value: UInt64, of count: Int) {
        self.init(isOrdered: false)
        (sum, self.count) = (value, UInt64(count))
    }

    /// A sum of no points, to be copied, that knows the names of attributes.
    init(knowing keys: AttributeKeys) {
        self.init(isOrdered: false)
        learn(keys)
    }

    /// A sum of no points for a recipe; the order counts if clusters depend on it.
    init(for recipe: Recipe) {
        self.init(isOrdered: recipe.layers.contains { $0.clusters?.options.order == .input })
    }

    private mutating func learn(_ keys: AttributeKeys) {
        let known = names.count
        names += keys.names.dropFirst(known).map(ByteSum.of)
    }

    /// The value alone: values of disjoint sets of points add up.
    var value: UInt64 { sum }

    mutating func include(_ points: PointTable, of layer: Int) {
        // Attributes may have been renamed between two layers.
        if let last = self.layer, last != layer { names = [] }
        self.layer = layer
        learn(points.attributes.keys)
        for row in 0..<points.count {
            count += 1
            let hash = Self.sum(of: row, in: points, names, UInt64(layer))
            sum &+= isOrdered ? Self.mixed(hash, count) : hash
        }
    }

    /// A sum over one point.
    /// - Parameters:
    ///   - names: sums over the names of attributes, by their numbers.
    ///   - start: a value for all else that counts.
    static func sum(
        of row: Int, in points: PointTable, _ names: [UInt64], _ start: UInt64 = 0
    ) -> UInt64 {
        var hash = mixed(start, points.xs[row].bitPattern)
        hash = mixed(hash, points.ys[row].bitPattern)
        hash = mixed(hash, (points.weights?[row] ?? 1).bitPattern)
        hash = mixed(hash, points.ids?[row] ?? PointTable.noID)
        return points.attributes.withRecord(of: row) { mixed(hash, $0.sum(names)) }
    }

    static func mixed(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = (a ^ (b &* 0x9E37_79B9_7F4A_7C15)) &* 0xD6E8_FEB8_6659_FD93
        return product ^ (product >> 32)
    }

    /// The sum as sixteen hexadecimal digits.
    var text: String {
        let digits = String(Self.mixed(sum, count), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension AttributeRecord {
    /// A sum over the attributes in their order, which is that of features.
    /// - Parameter names: sums over their names, by key number.
    func sum(_ names: [UInt64]) -> UInt64 {
        var sum: UInt64 = 0
        var cursor = makeCursor()
        while let attribute = cursor.next() {
            sum = PointsSum.mixed(sum, names[Int(attribute.key.number)])
            sum = PointsSum.mixed(sum, ByteSum.of(attribute.value.bytes))
        }
        return sum
    }
}
