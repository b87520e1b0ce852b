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
                try self.checkCancelled()
                return numbers.next().map { things[$0.lowerBound] }
            },
            state: {}, work: { _, thing in try work(thing) }, consume: consume)
    }

    /// The things that are left. Looking takes little time, so all threads do it at once.
    func rest<Thing: Sendable>(
        of things: [Thing], unless isDone: @escaping @Sendable (Thing) throws -> Bool
    ) throws -> [Thing] {
        var rest: [Thing] = []
        try forEach(things, { try isDone($0) ? nil : $0 }) { (left: Thing?) in
            if let left { rest.append(left) }
        }
        return rest
    }

    /// Works on heavy things, as many at once as threads and memory allow. The heaviest come first,
    /// so that none is waited for at the end.
    /// - Parameters:
    ///   - points: the number of points that a thing holds in memory.
    ///   - work: is given the job with the threads that are left for each thing.
    ///   - done: is called after each thing.
    func forEach<Thing: Sendable>(
        _ things: [Thing], holding points: (Thing) -> Int,
        _ work: @escaping @Sendable (CellJob, Thing) throws -> Void, done: () -> Void = {}
    ) throws {
        let order = things.map { (points: points($0), thing: $0) }.sorted { $0.points > $1.points }
        let together = CellForecast.together(order.map(\.points), options, layerOptions)
        let inner = CellJob(self, threads: max(1, options.threads / together))
        let numbers = PieceCounter(total: order.count, size: 1)
        try OrderedPipeline(threads: together, inFlight: max(order.count, 1)).run(
            next: {
                try self.checkCancelled()
                return numbers.next().map { order[$0.lowerBound].thing }
            },
            state: {}, work: { _, thing in try work(inner, thing) },
            consume: { _ in done() })
    }
}
