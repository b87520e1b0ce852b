/// The stages of a build, in their order.
public enum BuildStage: String, Sendable, CaseIterable {
    case read, cluster, plan, layout, tiles, leaves, finish
}

/// How far a build has come.
public struct BuildProgress: Sendable {
    public var stage: BuildStage
    /// The unit that is counted: bytes, points, tiles.
    public var unit: String
    public var done: Int
    /// The total count, where it is known.
    public var total: Int?
    /// What is being worked on, such as the name of an input or a layer.
    public var subject: String?

    public init(stage: BuildStage, unit: String, done: Int, total: Int?, subject: String?) {
        self.stage = stage
        self.unit = unit
        self.done = done
        self.total = total
        self.subject = subject
    }
}
