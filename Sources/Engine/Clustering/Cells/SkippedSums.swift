/// Values that aggregates skipped, summed over several parts of the world.
public struct SkippedSums: Sendable {
    private var sums: [String: SkippedValues] = [:]

    public init() {}

    public mutating func add(_ part: [SkippedValues]) {
        for skipped in part {
            var sum =
                sums[skipped.aggregate]
                ?? SkippedValues(aggregate: skipped.aggregate, missing: 0, unusable: 0)
            sum.missing += skipped.missing
            sum.unusable += skipped.unusable
            sums[skipped.aggregate] = sum
        }
    }

    public func inOrder(of options: ClusterOptions) -> [SkippedValues] {
        let names = options.allAggregates.map(\.name) + options.writtenOutProperties.map(\.name)
        return (names + [SkippedValues.position]).compactMap { sums[$0] }
    }
}
