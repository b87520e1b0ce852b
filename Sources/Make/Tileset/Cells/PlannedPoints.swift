import Points

/// Where points lie until there is a plan for them.
protocol PlannedPoints {
    /// The folder that the plan goes to.
    func folder() throws(JobError) -> JobFolder
    /// Looks at all points once.
    func survey() throws -> PointSurvey
    /// Calls `body` with all points that lie on a stretch of the Hilbert curve, in tiles of the zoom that is
    /// counted in, and maybe with others; some at a time and in any order.
    func forEachTable(
        on stretch: ClosedRange<UInt64>, _ body: (PointTable) throws -> Void
    ) throws
    /// Lays the points where cells find them.
    func place(for job: CellJob) throws
    /// The parts in which they stay; none where each cell has its own file.
    var parts: [String] { get }
}
