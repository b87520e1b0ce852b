import Points

extension PointTable {
    /// Reads the points of all sources, one after another, into one table.
    ///
    /// Records keep their order whatever the number of threads. `progress` is called now and then,
    /// from any thread.
    public static func read(
        _ sources: [PointSource], options: InputOptions = InputOptions(),
        progress: @escaping @Sendable (InputProgress) -> Void = { _ in }
    ) throws(InputError) -> (table: PointTable, report: InputReport) {
        var table = PointTable()
        var report = InputReport()
        for source in sources {
            let input = try OpenInput(source, progress: progress)
            let reader = try PointReaders.reader(for: input, options: options)
            let collector = PointCollector(
                table: table, report: report, options: options, name: source.name,
                noun: reader.format.recordNoun)
            table = PointTable()
            try reader.read(input, into: collector)
            (table, report) = collector.finish()
        }
        return (table, report)
    }
}

/// How far reading has come.
public struct InputProgress: Sendable {
    public var input: String
    /// Bytes read, of the file as it is stored.
    public var bytes: Int
    /// Bytes to read, if that is known.
    public var total: Int?
}
