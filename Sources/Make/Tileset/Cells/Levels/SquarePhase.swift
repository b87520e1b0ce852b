/// A phase that clusters squares one by one.
protocol SquarePhase: Sendable {
    func isDone(_ number: Int, _ passes: Int) -> Bool

    /// Takes a square's files from the job before, if they follow from the same.
    func takeOver(_ number: Int, _ passes: Int) throws -> Bool

    /// Makes what is not there, nor was in the job before.
    func make(
        _ number: Int, _ passes: Int, tellWidened: () -> Void
    ) throws -> ClusterPhase.Outcome
}
