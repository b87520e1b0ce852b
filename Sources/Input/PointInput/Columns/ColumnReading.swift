import Synchronization

/// Divides a columnar file into ranges of rows, one after another.
protocol ColumnStrips: Sendable, SendableMetatype {
    associatedtype Strip: ColumnStrip
    /// The next rows; nil after the last. It must be much faster than reading them.
    mutating func next() throws(InputError) -> Strip?
}

/// A range of rows of a columnar file.
protocol ColumnStrip: Sendable {
    /// Reads them and passes them on; `bytes` is memory that a worker uses for strip after strip.
    func pass(to rows: inout ColumnRows, _ bytes: inout StripBytes) throws(InputError)
}

/// Reads a columnar file in several threads, strip by strip, and collects the points in order.
final class ColumnReading<Strips: ColumnStrips>: Sendable {
    private let strips: Mutex<Tickets<Strips>>
    private let pieces: PieceCollection

    private init(_ strips: Strips, _ collector: PointCollector) {
        self.strips = Mutex(Tickets(strips))
        pieces = PieceCollection(collector)
    }

    static func run(
        _ strips: Strips, _ selection: ColumnSelection, _ collector: PointCollector
    ) throws(InputError) {
        let reading = ColumnReading(strips, collector)
        reading.pieces.run {
            reading.work(ColumnRows(selection, builder: collector.makeBuilder()))
        }
        if let error = reading.pieces.error { throw error }
    }

    private func work(_ rows: consuming ColumnRows) {
        var rows = rows
        var bytes = StripBytes()
        while let (ticket, next) = nextStrip() {
            pieces.lendMemory(to: &rows.builder)
            do throws(InputError) {
                try next.get().pass(to: &rows, &bytes)
                pieces.put(.success(rows.builder.takePiece()), ticket: ticket)
            } catch {
                pieces.put(.failure(error), ticket: ticket)
            }
        }
    }

    private func nextStrip() -> (ticket: Int, Result<Strips.Strip, InputError>)? {
        guard pieces.error == nil else { return nil }
        return strips.withLock { tickets in
            tickets.take { strips throws(InputError) in try strips.next() }
        }
    }
}
