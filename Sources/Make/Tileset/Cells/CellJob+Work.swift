import Pipelines

extension CellJob {
    /// Works on things in parallel, with all threads, and consumes the results in their order.
    func forEach<Thing: Sendable, Output: Sendable>(
        _ things: [Thing], _ work: @escaping @Sendable (Thing) throws -> Output,
        consume: (Output) throws -> Void = { _ in }
    ) throws {
        let numbers = PieceCounter(total: things.count, size: 1)
        try OrderedPipeline(threads: options.threads).run(
            next: {
                try checkCancelled()
                return numbers.next().map { things[$0.lowerBound] }
            },
            state: {}, work: { _, thing in try work(thing) }, consume: consume)
    }
}
