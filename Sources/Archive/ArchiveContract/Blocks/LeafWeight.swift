/// What points weigh in a block: about as many bytes as they have in its tile before that is packed.
public enum LeafWeight {
    /// What the points of a block may weigh together. With the index, and what else a reader fetches, it stays below 300 kB.
    public static let mostOfBlock: Int64 = 220_000
    /// Light points count as if they weighed so much: as many make a block as a block may have.
    private static let least = Int(mostOfBlock / LeafBlockLayout.mostLeaves)
    /// One that is heavier makes its block too heavy however small that is, and should not make every cluster around it
    /// a large one.
    private static let most = Int(mostOfBlock / 25)

    /// What a point weighs that has so many values, with so many bytes in texts and eight for each of
    /// the others: a value costs two numbers besides, and the point its place and id.
    public static func weight(_ size: (values: Int, bytes: Int)) -> Int {
        12 + 3 * size.values + size.bytes
    }

    /// What of a point's weight counts where blocks are cut.
    public static func counted(_ weight: Int) -> Int64 { Int64(min(max(weight, least), most)) }
}

/// What leaves that follow one another weigh together.
public struct LeafWeightSums: Sendable {
    /// What all before a leaf weigh.
    private var before: [Int64] = [0]

    public init() {}

    /// Adds the leaves that follow, by what each weighs.
    public mutating func append(_ weights: [Int]) {
        for weight in weights {
            before.append(before[before.count - 1] + LeafWeight.counted(weight))
        }
    }

    /// What counts of some leaves.
    public func callAsFunction(_ leaves: Range<Int>) -> Int64 {
        before[leaves.upperBound] - before[leaves.lowerBound]
    }
}
