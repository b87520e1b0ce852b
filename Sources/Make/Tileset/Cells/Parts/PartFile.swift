import Clustering
import Geometry
import JSON
import Platform
import PointInput
import Points
import Recipes

/// The folder of a job's parts: points that were read before there was a plan.
///
/// A part is named by its layer and a sum over its points and all facts about them, so the same points get the
/// same name in every task, however often they are read. Its points are in blocks, each of which gives its
/// stretch of the Hilbert curve, so that a cell reads only the blocks that may hold points of its ground.
struct PartFolder {
    let path: String
    let folder: JobFolder
    /// Stands in all files of parts: a part that another recipe or version read belongs to another
    /// job. The input files are not in it, as points stay when they change.
    let job: String

    init(_ folder: JobFolder, _ recipe: Recipe, generator: String) {
        self.folder = folder
        path = Self.path(in: folder)
        let text = recipe.withoutSources.json.text() + generator
        job = "part " + String(ByteSum.of(text), radix: 16)
    }

    static func path(in folder: JobFolder) -> String { "\(folder.path)/parts" }

    func points(of part: String) -> String { "\(path)/\(part)" }
    /// The facts about a part. They are written last, so if the file exists, the part is complete.
    func head(of part: String) -> String { "\(path)/\(part).head" }

    /// A note about a part beside its head, by the name of the note.
    func note(_ name: String, of part: String) -> String { "\(path)/\(part).\(name)" }

    /// The files of a part, by what follows its name.
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

    func has(_ file: String) -> Bool { folder.has(file) }

    /// The layer of a part; nil if the text is not the name of a part.
    static func layer(of part: String) -> Int? {
        let halves = part.split(separator: "-", omittingEmptySubsequences: false)
        guard halves.count == 2, UInt64(halves[1], radix: 16) != nil else { return nil }
        return Int(halves[0])
    }
}

/// Consecutive points of a part along the Hilbert curve.
struct PartBlock {
    static let zoom = PointCounts.zoom

    /// The stretch of the curve with its points, in tiles of `zoom`.
    var stretch: ClosedRange<UInt64>
    /// Where the block begins in the part's file.
    var offset: Int
    var count: Int
    /// A sum over the points, where a later job may ask for it. Such sums can be added up.
    var sum: UInt64?
}

extension [PartBlock] {
    var pointCount: Int { reduce(0) { $0 + $1.count } }
}

/// The facts about a part that has been read.
struct PartHead {
    let layer: Int
    /// The attribute names that the numbers in records stand for.
    var names: [String]
    /// Those of them that occur in a record.
    var used: [String]
    var survey: PointSurvey
    var report: InputReport
    var blocks: [PartBlock]
    /// The number of points in its file, including those of blocks that are no longer part of it.
    var rows: Int

    /// The stretch of the curve with its points; nil if it has none.
    var stretch: ClosedRange<UInt64>? {
        guard let first = blocks.map(\.stretch.lowerBound).min(),
            let last = blocks.map(\.stretch.upperBound).max()
        else { return nil }
        return first...last
    }

    fileprivate var bytes: [UInt8] {
        var sink = BlockSink()
        sink.write(names, used)
        survey.write(to: &sink)
        sink.write(report.records, report.kept, report.rejected, report.notes, report.regions)
        sink.write(blocks)
        sink.write(rows)
        return sink.bytes
    }
}

/// A head as it is written, with the name of its part.
struct NamedHead {
    let head: PartHead
    /// The part's name. Its sum includes the records that were left out, by which parts without points differ.
    let name: String
    private let bytes: [UInt8]

    init(_ head: PartHead) {
        self.head = head
        let bytes = head.bytes
        name = "\(head.layer)-\(String(ByteSum.of(bytes.span), radix: 16))"
        self.bytes = bytes
    }

    /// Writes the head and returns it. It is written last, so if it exists, the part is complete.
    func written(to folder: PartFolder) throws(JobError) -> NamedHead {
        var writer = try JobFileWriter(folder.head(of: name), job: folder.job)
        try writer.append(bytes)
        try writer.finish()
        return self
    }
}

extension PartHead {
    /// - Parameter facets: the attributes by whose values points of each layer are counted.
    init(_ file: JobFileReader, layer: Int, facets: [[Facet]]) throws(JobError) {
        var reader = file
        self = try reader.decodeBlock { (source) throws(BlockSource.Damaged) in
            let (names, used): ([String], [String]) = try source.values()
            let survey = try PointSurvey(&source, facets: facets)
            let report = InputReport(
                records: try source.int(), kept: try source.int(),
                points: survey.layers[layer].points, rejected: try .init(from: &source),
                notes: try .init(from: &source), regions: try .init(from: &source))
            return PartHead(
                layer: layer, names: names, used: used, survey: survey, report: report,
                blocks: try source.partBlocks(), rows: try source.int())
        }
    }
}

extension BlockSink {
    mutating func write(_ blocks: [PartBlock]) {
        write(Column(blocks.map(\.stretch.lowerBound)))
        write(Column(blocks.map(\.stretch.upperBound)))
        write(Column(blocks.map(\.offset)))
        write(Column(blocks.map(\.count)))
        write(Column(blocks.compactMap(\.sum)))
    }
}

extension BlockSource {
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

extension RejectReason: BlockValue {}

extension RegionTally: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(Self.init(regions:outside:), \.regions, \.outside)
    }
}
