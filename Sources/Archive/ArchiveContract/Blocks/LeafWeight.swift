/// The weight of a point in a block: about the bytes that it has in the block's tile before compression.
public enum LeafWeight {
    /// The most that the points of a block may weigh. With the index, and what else a reader fetches, this stays
    /// below 300 kB.
    public static let mostOfBlock: Int64 = 220_000
    /// Lighter points count this much: then as many make a block as a block may have.
    private static let least = Int(mostOfBlock / LeafBlockLayout.mostLeaves)
    /// Heavier points count this much. Such a point makes its block too heavy, however few others there are, and
    /// should not make every cluster around it a large one.
    private static let most = Int(mostOfBlock / 25)

    /// The weight of a point with a number of values, and their bytes in texts and eight for each other value: a
    /// value takes two more numbers, and the point its position and id.
    public static func weight(_ size: (values: Int, bytes: Int)) -> Int {
        12 + 3 * size.values + size.bytes
    }

    /// The part of a point's weight that counts when blocks are cut.
    public static func counted(_ weight: Int) -> Int64 { Int64(min(max(weight, least), most)) }
}

/// Sums of the weights of consecutive leaves.
public struct LeafWeightSums: Sendable {
    /// The weight of all leaves before each leaf.
    private var before: [Int64] = [0]

    public init() {}

    /// Adds the next leaves by their weights.
    public mutating func append(_ weights: [Int]) {
        for weight in weights {
            before.append(before[before.count - 1] + LeafWeight.counted(weight))
        }
    }

    /// The counted weight of a range of leaves.
    public func callAsFunction(_ leaves: Range<Int>) -> Int64 {
        before[leaves.upperBound] - before[leaves.lowerBound]
    }
}
