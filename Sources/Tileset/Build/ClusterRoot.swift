/// The square root of a count, as `sqrt_point_count` has it.
enum ClusterRoot {
    /// Two decimals, so that clusters of like size share one value in a tile.
    static func rounded(_ count: UInt64) -> Double {
        (Double(count).squareRoot() * 100).rounded() / 100
    }
}
