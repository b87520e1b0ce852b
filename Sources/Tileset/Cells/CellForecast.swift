/// How much memory a build in cells will need.
struct CellForecast {
    /// What reading, writing and the stages between take, whatever the points.
    static let leastBytes = 192 << 20
    /// What a point of the cell in work takes at the peak; its margin, a third more points, included.
    private static let bytesOfPoint = 400
    /// What a node takes that is handed up, before and while it is clustered.
    private static let bytesOfNode = 500

    let bytes: Int

    init(_ plan: JobPlan) {
        let fullest = plan.counts.max() ?? 0
        bytes =
            Self.leastBytes
            + max(fullest * Self.bytesOfPoint, plan.expectedNodes * Self.bytesOfNode)
    }

    /// What a cell of so many points takes.
    static func bytes(points: Int) -> Int { leastBytes + points * bytesOfPoint }

    /// How many points a cell may have.
    static func points(within memory: Int) -> Int { max(0, memory - leastBytes) / bytesOfPoint }
}
