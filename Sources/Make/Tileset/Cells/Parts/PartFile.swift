import Clustering
import Geometry
import JSON
import Platform
import PointInput
import Points
import Recipes

/// Where the parts of a job lie: points that were read by themselves, before there was a plan.
///
/// A part is named by its layer and a sum over its points and all that is known of them, so the same
/// points have the same name in every task that reads them, and however often. Its points lie in blocks, each of which says which stretch of the
/// Hilbert curve it is of; so a cell reads only the blocks that may hold points of its ground.
struct PartFolder {
    let path: String
    private let folder: JobFolder
    /// Stands in all files of parts: what was read by another recipe or version is no part of this job. Which files were
    /// read is not asked: points stay where they change.
    let job: String

    init(_ folder: JobFolder, _ recipe: Recipe, generator: String) {
        self.folder = folder
        path = Self.path(in: folder)
        let text = recipe.withoutSources.json.text() + generator
        job = "part " + String(ByteSum.of(text), radix: 16)
    }

    static func path(in folder: JobFolder) -> String { "\(folder.path)/parts" }

    func points(of part: String) -> String { "\(path)/\(part)" }
    /// What is known of a part. It is written last, so where it is the part is whole.
    func head(of part: String) -> String { "\(path)/\(part).head" }

    /// What is noted of a part beside its head, by the name that the note has.
    func note(_ name: String, of part: String) -> String { "\(path)/\(part).\(name)" }

    /// The files of a part, by what stands behind its name.
    static func files(of part: String, in folder: JobFolder) -> [String] {
        let names = (try? Directory(path(in: folder)).names()) ?? []
        return names.filter { $0 == part || $0.hasPrefix(part + ".") }
            .map { String($0.dropFirst(part.count)) }
    }

    /// Removes a part.
    static func discard(_ part: String, in folder: JobFolder) {
        for ending in files(of: part, in: folder) {
            UnfinishedFiles.discard("\(path(in: folder))/\(part)\(ending)")
        }
    }

    func read(_ file: String) throws(JobError) -> JobFileReader {
        try JobFileReader(file, in: folder, job: job)
    }

    func fetch(_ pieces: [RemoteFiles.Piece]) throws(JobError) { try folder.fetch(pieces) }

    var keepsFiles: Bool { folder.keepsFiles }

    func has(_ file: String) -> Bool { folder.has(file) }

    /// The layer of a part; nil if that is no name of one.
    static func layer(of part: String) -> Int? {
        let halves = part.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, UInt64(halves[1], radix: 16) != nil else { return nil }
        return Int(halves[0])
    }
}

/// Some points of a part that follow one another along the Hilbert curve.
struct PartBlock {
    static let zoom = PointCounts.zoom

    /// Where along the curve, in tiles of that zoom, the points lie.
    var stretch: ClosedRange<UInt64>
    /// Where the block begins in the part's file.
    var offset: Int
    var count: Int
    /// A sum over the points, where a later job may ask for it; sums add up.
    var sum: UInt64?
}

extension [PartBlock] {
    var pointCount: Int { reduce(0) { $0 + $1.count } }
}

/// What is known of a part when it has been read.
struct PartHead {
    let layer: Int
    /// The names by whose numbers the records go.
    var names: [String]
    /// Those of them that some record has.
    var used: [String]
    var survey: PointSurvey
    var report: InputReport
    var blocks: [PartBlock]
    /// How many points its file has, those of blocks among them that it has no more.
    var rows: Int

    /// Where along the curve its points lie; nil where it has none.
    var stretch: ClosedRange<UInt64>? {
        guard let first = blocks.map(\.stretch.lowerBound).min(),
            let last = blocks.map(\.stretch.upperBound).max()
        else { return nil }
        return first...last
    }

    /// The part's name. The records that were left out are in the sum: parts without points differ by them.
    var name: String { "\(layer)-\(String(ByteSum.of(bytes.span), radix: 16))" }

    /// The same, once it has been written: it comes last, so that where it is the part is whole.
    func written(to folder: PartFolder) throws(JobError) -> PartHead {
        var writer = try JobFileWriter(folder.head(of: name), job: folder.job)
        try writer.append(bytes)
        try writer.finish()
        return self
    }

    private var bytes: [UInt8] {
        var sink = BlockSink()
        sink.write(names)
        sink.write(used)
        survey.write(to: &sink)
        sink.write(report.records)
        sink.write(report.kept)
        let reasons = report.rejected.sorted { $0.key.rawValue < $1.key.rawValue }
        sink.write(reasons.map(\.key.rawValue))
        sink.write(Column(reasons.map(\.value)))
        sink.write(report.notes)
        let regions = (report.regions?.regions ?? [:]).sorted { $0.key < $1.key }
        sink.write(regions.map(\.key))
        sink.write(Column(regions.map(\.value)))
        sink.write(report.regions?.outside ?? -1)
        sink.write(blocks)
        sink.write(rows)
        return sink.bytes
    }

    init(
        layer: Int, names: [String], used: [String], survey: PointSurvey, report: InputReport,
        blocks: [PartBlock], rows: Int? = nil
    ) {
        self.layer = layer
        self.names = names
        self.used = used
        self.survey = survey
        self.report = report
        self.blocks = blocks
        self.rows = rows ?? blocks.pointCount
    }

    /// - Parameter facets: what points of each layer are counted by.
    init(
        _ file: JobFileReader, layerCount: Int, layer: Int, facets: [[Facet]] = []
    ) throws(JobError) {
        var reader = file
        var source = try reader.block()
        self = try reader.decode { () throws(BlockSource.Damaged) in
            let names = try source.texts()
            let used = try source.texts()
            let survey = try PointSurvey(
                &source, layerCount: layerCount, facets: facets)
            let (records, kept) = (try source.int(), try source.int())
            let reasons = try source.texts()
            let counts: Column<Int> = try source.column()
            guard counts.count == reasons.count else { throw BlockSource.Damaged() }
            var rejected: [RejectReason: Int] = [:]
            for (index, word) in reasons.enumerated() {
                guard let reason = RejectReason(rawValue: word) else { throw BlockSource.Damaged() }
                rejected[reason] = counts[index]
            }
            let report = InputReport(
                records: records, kept: kept, points: survey.layers[layer].points,
                rejected: rejected, notes: try source.texts(), regions: try source.regions())
            return PartHead(
                layer: layer, names: names, used: used, survey: survey, report: report,
                blocks: try source.partBlocks(), rows: try source.int())
        }
    }
}

extension BlockSink {
    mutating func write(_ texts: [String]) {
        write(texts.count)
        for text in texts { write(text) }
    }

    mutating func write(_ blocks: [PartBlock]) {
        write(Column(blocks.map(\.stretch.lowerBound)))
        write(Column(blocks.map(\.stretch.upperBound)))
        write(Column(blocks.map(\.offset)))
        write(Column(blocks.map(\.count)))
        write(Column(blocks.compactMap(\.sum)))
    }
}

extension BlockSource {
    fileprivate mutating func regions() throws(Damaged) -> RegionTally? {
        let names = try texts()
        let counts: Column<Int> = try column()
        let outside = try int()
        guard counts.count == names.count else { throw Damaged() }
        var tally = RegionTally(regions: [:], outside: outside)
        for (index, name) in names.enumerated() { tally.regions[name] = counts[index] }
        return outside < 0 ? nil : tally
    }

    mutating func texts() throws(Damaged) -> [String] {
        var texts: [String] = []
        for _ in 0..<max(0, try int()) { texts.append(try text()) }
        return texts
    }

    mutating func partBlocks() throws(Damaged) -> [PartBlock] {
        let (firsts, lasts): (Column<UInt64>, Column<UInt64>) = (try column(), try column())
        let (offsets, counts): (Column<Int>, Column<Int>) = (try column(), try column())
        let sums: Column<UInt64> = try column()
        guard
            [lasts.count, offsets.count, counts.count].allSatisfy({ $0 == firsts.count }),
            [0, firsts.count].contains(sums.count)
        else { throw Damaged() }
        var blocks: [PartBlock] = []
        for index in 0..<firsts.count {
            guard firsts[index] <= lasts[index] else { throw Damaged() }
            blocks.append(
                PartBlock(
                    stretch: firsts[index]...lasts[index], offset: offsets[index],
                    count: counts[index], sum: sums.isEmpty ? nil : sums[index]))
        }
        return blocks
    }
}
