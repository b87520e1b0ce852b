import Dispatch
import Points
import Synchronization

/// Collects pieces that workers parse in parallel, in the order of their tickets.
///
/// At most twice as many parsed pieces exist as workers.
final class PieceCollection: Sendable {
    let collector: PointCollector
    private let turns: TurnOrder<Result<ParsedPiece, InputError>>
    /// Batches whose points are in the table; later points reuse their memory.
    private let spare = Mutex<[PointBatch]>([])
    private let failure = Mutex<InputError?>(nil)

    init(_ collector: PointCollector) {
        self.collector = collector
        turns = TurnOrder(room: 2 * collector.options.threads)
    }

    /// The first failure; no more pieces are needed then.
    var error: InputError? { failure.withLock { $0 } }

    /// Runs as many workers as the options say, until all are done.
    func run(_ work: @Sendable () -> Void) {
        let threads = collector.options.threads
        if threads > 1 {
            DispatchQueue.concurrentPerform(iterations: threads) { _ in work() }
        } else {
            work()
        }
    }

    /// Gives a builder the memory of batches that are in the table.
    func lendMemory(to builder: inout PointBuilder) {
        if let batch = spare.withLock({ $0.popLast() }) { builder.reuse(batch) }
    }

    /// Adds the piece of a ticket; tickets count from 0 without gaps.
    func put(_ parsed: consuming Result<ParsedPiece, InputError>, ticket: Int) {
        turns.put(parsed, ticket: ticket, handIn)
    }

    private func handIn(_ parsed: consuming Result<ParsedPiece, InputError>) {
        guard failure.withLock({ $0 == nil }) else { return }
        do throws(InputError) {
            var piece = try parsed.get()
            try collector.append(&piece)
            spare.withLock { $0.append(piece.batch) }
        } catch {
            failure.withLock { $0 = error }
        }
    }
}

/// Numbers the items that workers take from a source one at a time, until it ends or fails.
struct Tickets<Source: Sendable>: Sendable {
    private var source: Source
    private var next = 0
    private var isOver = false

    init(_ source: Source) { self.source = source }

    mutating func take<Value>(
        _ value: (inout Source) throws(InputError) -> Value?
    ) -> (ticket: Int, Result<Value, InputError>)? {
        guard !isOver else { return nil }
        do throws(InputError) {
            guard let value = try value(&source) else {
                isOver = true
                return nil
            }
            next += 1
            return (next - 1, .success(value))
        } catch {
            isOver = true
            return (next, .failure(error))
        }
    }
}
