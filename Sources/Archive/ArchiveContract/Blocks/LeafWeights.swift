/// What the points of a layer carry, in leaf order, some points at a time: what tells of how many a
/// block may consist, so that an answer from it stays small wherever the points are heaviest.
///
/// It depends on nothing but the layer's points and their order, and not on what numbers they begin
/// with: so layers that are joined have the blocks that they would have been built with.
public struct LeafWeights: Equatable, Sendable {
    /// Leaves that are weighed together; blocks hold whole numbers of so many.
    public static let step = 25
    /// What the points of a block may weigh together, about as many bytes as their tile has before it
    /// is packed. With the index, and what else a reader fetches, it stays below 300 kB.
    public static let mostOfBlock = 220_000
    /// The sizes that blocks may have.
    public static let sizes: [Int64] = [
        LeafBlockLayout.mostLeaves, 2_000, 1_000, 500, 250, 125, 50, 25,
    ]
    /// One that is heavier makes its block too heavy however small that is, and should not make all
    /// others small.
    private static let mostOfLeaf = mostOfBlock / step

    /// By step.
    public private(set) var sums: [UInt32]

    public init(leafCount: Int) {
        sums = Array(repeating: 0, count: (leafCount + Self.step - 1) / Self.step)
    }

    /// What a point weighs that has so many values, with so many bytes in texts and eight for each of
    /// the others: a value costs two numbers besides, and the point its place and id.
    public static func weight(values: Int, bytes: Int) -> Int { 12 + 3 * values + bytes }

    public mutating func add(_ weight: Int, ofLeaf leaf: Int) {
        sums[leaf / Self.step] += Self.counted(weight)
    }

    /// What of a point's weight counts.
    public static func counted(_ weight: Int) -> UInt32 { UInt32(min(weight, mostOfLeaf)) }

    /// Adds what a part of the layer has at a step.
    public mutating func add(_ sum: UInt32, atStep step: Int) {
        sums[step] = UInt32(clamping: UInt64(sums[step]) + UInt64(sum))
    }

    /// Appends the weights of the leaves that follow; these end with a step.
    public mutating func append(_ more: LeafWeights) { sums += more.sums }

    /// The largest blocks of which none is too heavy, wherever they begin.
    public var layout: LeafBlockLayout {
        // A block that begins within a step ends within one.
        let size = Self.sizes.first { Int($0) / Self.step < longestRun } ?? Int64(Self.step)
        return LeafBlockLayout(leavesPerBlock: size) ?? .usual
    }

    /// How many steps that follow one another are never too heavy.
    private var longestRun: Int {
        var longest = Int.max
        var (start, sum) = (0, 0)
        for end in sums.indices {
            sum += Int(sums[end])
            while sum > Self.mostOfBlock, start < end {
                sum -= Int(sums[start])
                start += 1
            }
            if start > 0 { longest = min(longest, end + 1 - start) }
        }
        return longest
    }
}
