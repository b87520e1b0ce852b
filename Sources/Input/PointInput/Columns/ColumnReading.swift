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
enum ColumnReading {
    static func run(
        _ strips: some ColumnStrips, _ selection: ColumnSelection, _ collector: PointCollector
    ) throws(InputError) {
        let pieces = PieceCollection(strips, collector)
        pieces.run {
            var rows = ColumnRows(selection, builder: collector.makeBuilder())
            var bytes = StripBytes()
            while let (ticket, next) = pieces.take({ strips throws(InputError) in
                try strips.next()
            }) {
                pieces.lendMemory(to: &rows.builder)
                do throws(InputError) {
                    try next.get().pass(to: &rows, &bytes)
                    pieces.put(.success(rows.builder.takePiece()), ticket: ticket)
                } catch {
                    pieces.put(.failure(error), ticket: ticket)
                }
            }
        }
        if let error = pieces.error { throw error }
    }
}
