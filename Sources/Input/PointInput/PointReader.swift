/// A format: how to recognize and read it. A new one is one type, one line in `PointReaders.all`, and a case of
/// `InputFormat` with its words.
public protocol PointReader: SendableMetatype {
    static var format: InputFormat { get }
    /// File name extensions of the format, in lower case and without a dot.
    static var fileExtensions: [String] { get }

    /// Whether an input with this start can only have this format.
    static func recognises(_ start: Span<UInt8>) -> Bool

    /// Passes every record of the input to builders of the collector, in order.
    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError)
}

/// All readers, in the order in which they are tried.
enum PointReaders {
    static let all: [any PointReader.Type] = [
        FlatGeobufReader.self,
        ArrowReader.self,
        ParquetReader.self,
        DatabaseReader.self,
        GDALReader.self,
        GeoJSONReader.self,
        CSVReader.self,
    ]

    /// The reader for an input: by the options, otherwise by content, otherwise by name.
    static func reader(
        for input: OpenInput, options: InputOptions
    ) throws(InputError) -> any PointReader.Type {
        if let format = options.format, let named = all.first(where: { $0.format == format }) {
            return named
        }
        if input.isNameOfGDAL { return GDALReader.self }
        let start = input.start
        guard !start.isEmpty else { throw .empty(input: input.name) }
        let foreign = ForeignInput(knownBy: start.span)
        // Many files that are not tables look like one to the CSV reader, which is tried last.
        if let told = all.first(where: { $0.recognises(start.span) }),
            foreign == nil || told.format != .csv
        {
            return told
        }
        if let foreign = foreign ?? .noText(start.span) {
            throw .foreign(input: input.name, foreign)
        }
        if let named = reader(ofName: input.name) { return named }
        throw .unknownFormat(input: input.name, start: Snippet.of(start.span))
    }

    /// The files among those with names of points that count. Any text may be called `.txt`, so such files count only
    /// if there are no others.
    static func certain<File>(among files: [File], _ name: (File) -> String) -> [File] {
        let certain = files.filter { !name($0).lowercased().hasSuffix(".txt") }
        return certain.isEmpty ? files : certain
    }

    /// The reader of files whose names end like this, before the ending of a compression.
    static func reader(ofName name: String) -> (any PointReader.Type)? {
        let endings = name.lowercased().split(separator: ".").dropFirst()
        guard let last = endings.last(where: { !["gz", "zst", "xz", "bz2"].contains($0) }) else {
            return nil
        }
        return all.first { $0.fileExtensions.contains(String(last)) }
    }
}
