import Platform
import Points

extension PointTable {
    /// Reads the points of all sources, one after another, into one table.
    ///
    /// Files on the web are downloaded first, into temporary files that are removed afterwards.
    /// Records keep their order whatever the number of threads. `progress` is called repeatedly,
    /// from any thread.
    /// - Parameter spill: may take points out of the table while it is being read.
    public static func read(
        _ sources: [PointSource], options: InputOptions = InputOptions(),
        keys: AttributeKeys = AttributeKeys(), spill: (any PointSpill)? = nil,
        progress: @escaping @Sendable (InputProgress) -> Void = { _ in }
    ) throws(InputError) -> (table: PointTable, report: InputReport) {
        try options.crs?.check(in: "--crs")
        var table = PointTable(keys: keys)
        var report = InputReport()
        var files: [PointSource] = []
        for source in sources { files += try source.members { report.note($0) } }
        for name in Self.repeated(files) {
            report.note("\(name): is read more than once, so its points count as often")
        }
        for source in files {
            var options = options
            options.values = source.values
            guard let url = source.url else {
                try table.append(
                    .open(source, isCancelled: options.isCancelled, progress: progress), options,
                    &report, spill)
                continue
            }
            if let input = try OpenInput.open(partly: url, options, progress: progress) {
                try table.append(input, options, &report, spill)
                continue
            }
            let download = try Download(
                of: url, temporaryDirectory: options.temporaryDirectory,
                isCancelled: options.isCancelled, progress: progress)
            try table.append(
                .open(download.source, isCancelled: options.isCancelled, progress: progress),
                options, &report, spill)
            extendLifetime(download)
        }
        // They are of use between inputs only.
        report.kinds = AttributeKinds()
        return (table, report)
    }

    /// The files that come again, by whatever names.
    private static func repeated(_ sources: [PointSource]) -> [String] {
        var seen: Set<FileStatus.Identity> = []
        return sources.filter { source in
            guard let path = source.path, let file = try? FileStatus(of: path) else { return false }
            return file.isRegular && !seen.insert(file.identity).inserted
        }.map(\.name)
    }

    /// Reads the points from bytes in memory.
    package static func read(
        bytes: [UInt8], named name: String = "bytes", options: InputOptions = InputOptions()
    ) throws(InputError) -> (table: PointTable, report: InputReport) {
        var table = PointTable()
        var report = InputReport()
        try table.append(OpenInput(bytes: bytes, name: name), options, &report, nil)
        return (table, report)
    }

    private mutating func append(
        _ input: OpenInput, _ options: InputOptions, _ report: inout InputReport,
        _ spill: (any PointSpill)?
    ) throws(InputError) {
        let encoding = input.encoding(options)
        var input = try input.recoded(from: encoding)
        let start = input.start
        // Where records are changes, none is no error.
        if start.isEmpty, options.removalMark != nil {
            return report.note("\(input.name): holds no data")
        }
        if options.isPlaceless,
            PointReaders.all.contains(where: { $0.format != .csv && $0.recognises(start.span) })
        {
            throw .ambiguous(
                input: input.name, problem: "is no CSV, and --join reads only that",
                advice: "save it as CSV")
        }
        let reader = try PointReaders.reader(for: input, options: options)
        var guessed: TextEncoding?
        if reader.format == .csv, options.encoding == nil {
            guessed = TextEncoding.narrow(start.span)
        }
        if let guessed { input = try input.recoded(from: guessed) }
        let collector = PointCollector(
            table: self, report: report, options: options, name: input.name,
            noun: reader.format.recordNoun, spill: spill)
        // From here on the collector is the table's only owner, so that nothing is copied.
        self = PointTable()
        do throws(InputError) {
            try reader.read(input, into: collector)
        } catch {
            throw guessed == nil ? error : error.ofGuessedText
        }
        (self, report) = collector.finish()
        if let guessed {
            report.note(
                "\(input.name): is no UTF-8, and was read as \(guessed.name); --encoding says otherwise"
            )
        }
        for unused in Self.unused(options, reader.format, encoding) {
            report.note("\(input.name): \(unused)")
        }
    }

    /// What of the options is not used, and why.
    private static func unused(
        _ options: InputOptions, _ format: InputFormat, _ encoding: TextEncoding
    ) -> [String] {
        let isWhole = options.query != nil && ![.sqlite, .gdal].contains(format)
        return [
            unusedEncoding(options, format, encoding),
            isWhole ? "is no database, and was read whole" : nil,
        ].compactMap(\.self)
    }

    /// Why the encoding of the options is not used; nil if it is. GDAL's reader knows that of its formats.
    private static func unusedEncoding(
        _ options: InputOptions, _ format: InputFormat, _ encoding: TextEncoding
    ) -> String? {
        guard let named = options.encoding, format != .gdal else { return nil }
        if !format.isText { return named.unused }
        return named.isKind(of: encoding)
            ? nil : "is \(encoding.name), so --encoding \(named.name) is not used"
    }
}

/// The progress of reading.
public struct InputProgress: Sendable {
    public var input: String
    /// The number of bytes read of the stored file.
    public var bytes: Int
    /// The number of bytes to read, if known.
    public var total: Int?
}
