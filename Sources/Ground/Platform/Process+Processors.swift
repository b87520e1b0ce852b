import CProcessors

extension Process {
    /// The number of processors that this process may use: a container or `taskset` may allow it
    /// fewer than the machine has.
    public static var processorCount: Int { max(1, Int(covey_allowed_processors())) }
}
