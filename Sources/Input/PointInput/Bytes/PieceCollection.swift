import Dispatch
import Points
import Synchronization

/// Hands out what workers parse in parallel, and collects their pieces in the same order.
///
/// At most twice as many parsed pieces exist as workers.
final class PieceCollection<Source: Sendable>: Sendable {
    private let collector: PointCollector
    /// Only one worker at a time takes from it.
    private let tickets: Mutex<Tickets<Source>>
    private let turns: TurnOrder<Result<ParsedPiece, InputError>>
    /// Batches whose points are in the table; later points reuse their memory.
    private let spare = Mutex<[PointBatch]>([])
    private let failure = Mutex<InputError?>(nil)

    init(_ source: Source, _ collector: PointCollector) {
        self.collector = collector
        tickets = Mutex(Tickets(source))
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

    /// Takes the next item from the source, with its ticket; nil after the end and after a failure.
    func take<Value: Sendable>(
        _ value: (inout Source) throws(InputError) -> Value?
    ) -> (ticket: Int, Result<Value, InputError>)? {
        error == nil ? tickets.withLock { $0.take(value) } : nil
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
private struct Tickets<Source: Sendable>: Sendable {
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
