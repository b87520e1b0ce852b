import CProcessors

extension Process {
    /// How many processors this process may run on: a container or `taskset` may leave it fewer than the
    /// machine has.
    public static var processorCount: Int { max(1, Int(covey_allowed_processors())) }
}
