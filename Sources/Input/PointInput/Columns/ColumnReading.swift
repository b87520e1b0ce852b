import Synchronization

/// Divides a columnar file into ranges of rows, one after another.
protocol ColumnStrips: Sendable, SendableMetatype {
    associatedtype Strip: Sendable
    /// The next rows; nil after the last. It must be much faster than reading them.
    mutating func next() throws(InputError) -> Strip?
}

/// Reads the rows of a strip. Each worker has its own.
protocol ColumnWorker<Strip>: SendableMetatype, ~Copyable {
    associatedtype Strip: Sendable
    var rows: ColumnRows { get set }
    mutating func pass(_ strip: Strip) throws(InputError)
}

/// Reads a columnar file in several threads, strip by strip, and collects the points in order.
final class ColumnReading<Strips: ColumnStrips>: Sendable {
    private struct Serial {
        var strips: Strips
        var tickets = Tickets()
    }
    private let serial: Mutex<Serial>
    private let pieces: PieceCollection

    private init(_ strips: Strips, _ collector: PointCollector) {
        serial = Mutex(Serial(strips: strips))
        pieces = PieceCollection(collector)
    }

    static func run<Worker: ColumnWorker<Strips.Strip> & ~Copyable>(
        _ strips: Strips, _ collector: PointCollector, makeWorker: @Sendable () -> Worker
    ) throws(InputError) {
        let reading = ColumnReading(strips, collector)
        reading.pieces.run {
            var worker = makeWorker()
            reading.work(&worker)
        }
        if let error = reading.pieces.error { throw error }
    }

    private func work<Worker: ColumnWorker<Strips.Strip> & ~Copyable>(_ worker: inout Worker) {
        while let (ticket, next) = nextStrip() {
            pieces.lendMemory(to: &worker.rows.builder)
            do throws(InputError) {
                try worker.pass(next.get())
                pieces.put(.success(worker.rows.builder.takePiece()), ticket: ticket)
            } catch {
                pieces.put(.failure(error), ticket: ticket)
            }
        }
    }

    private func nextStrip() -> (ticket: Int, Result<Strips.Strip, InputError>)? {
        guard pieces.error == nil else { return nil }
        return serial.withLock { serial in
            serial.tickets.take(&serial.strips) { strips throws(InputError) in
                try strips.next()
            }
        }
    }
}
