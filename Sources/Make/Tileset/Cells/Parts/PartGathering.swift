import Geometry
import PointInput
import Points
import Recipes

/// Makes one part of many, or of all their points on a stretch of the curve.
///
/// Each part of an unordered table is spread all over the world, and a cell reads the edges of its
/// ground in each. In a gathered part, points are in order along the whole curve.
struct PartGathering {
    let files: PartFolder
    let recipe: Recipe
    let options: BuildOptions
    let layer: Int
    let parts: [String]
    let heads: [PartHead]

    /// The least number of points that wait in memory before some are written.
    private static let rowsAtOnce = 1 << 20
    /// With this many, points of the tile being read are written as well, since a tile may hold any number.
    private static let mostRows = 4 << 20

    /// - Parameter share: the stretch to gather; nil means all of the curve.
    func run(_ share: CellBuild.Share?) throws -> PartReport {
        let stretch = share.map(stretch) ?? 0..<UInt64.max
        let keys = AttributeKeys()
        let writer = try PartWriter(
            in: files, recipe, layer: layer, PointSurvey(of: recipe), keys, threads: options.threads
        )
        try write(stretch, keys, to: writer)
        // Only one task reports about the records.
        let report =
            share.map { $0.task > 1 } ?? false
            ? InputReport() : PartReports(heads, recipe).reports[layer]
        return PartReport(try writer.finish(report, in: files).written(to: files))
    }

    private func stretch(of share: CellBuild.Share) -> Range<UInt64> {
        var counts = PointCounts()
        for head in heads { counts.add(head.survey.counts) }
        return counts.stretch(share.task, of: share.count)
    }

    /// Reads the blocks of all parts in the order in which they begin on the curve.
    private func write(
        _ stretch: Range<UInt64>, _ keys: AttributeKeys, to writer: PartWriter
    ) throws {
        let wanted = zip(parts, heads).compactMap { part, head in
            WantedBlocks(of: part, head.names, head.blocks) {
                $0.stretch.upperBound >= stretch.lowerBound
                    && $0.stretch.lowerBound < stretch.upperBound
            }
        }
        try files.fetch(wanted)
        let readers = try wanted.map { (part) throws(JobError) in
            try PartReader(part, in: files, keys)
        }
        let blocks = wanted.enumerated().flatMap { part, wanted in
            wanted.blocks.map { (part: part, block: $0) }
        }.sorted {
            ($0.block.stretch.lowerBound, $0.part, $0.block.offset)
                < ($1.block.stretch.lowerBound, $1.part, $1.block.offset)
        }
        var waiting = PointTable(keys: keys)
        var limit = Self.rowsAtOnce
        for (part, block) in blocks {
            try options.checkCancelled()
            if waiting.count >= limit {
                try emit(&waiting, below: block.stretch.lowerBound, to: writer)
                limit = waiting.count + Self.rowsAtOnce
            }
            let points = try readers[part].points(of: block)
            waiting.append(points) { stretch.contains($0) }
        }
        try writer.write(waiting, 0..<waiting.count)
    }

    /// Writes the points that come before all that have not been read; `place` is where those begin.
    private func emit(
        _ waiting: inout PointTable, below place: UInt64, to writer: PartWriter
    ) throws(JobError) {
        let place = waiting.count < Self.mostRows ? place : place + 1
        var (ready, rest) = (
            PointTable(keys: waiting.attributes.keys), PointTable(keys: waiting.attributes.keys)
        )
        ready.append(waiting) { $0 < place }
        rest.append(waiting) { $0 >= place }
        waiting = rest
        try writer.write(ready, 0..<ready.count)
    }
}

extension PointTable {
    /// Appends the points of a table whose places along the curve, in tiles of the blocks' zoom, are wanted.
    fileprivate mutating func append(_ points: PointTable, where isWanted: (UInt64) -> Bool) {
        let rows = (0..<UInt32(points.count)).filter { row in
            let position = points.position(of: Int(row))
            return isWanted(
                HilbertSort.key(
                    x: TileGrid.fixed(position.x), y: TileGrid.fixed(position.y),
                    zoom: PartBlock.zoom))
        }
        append(rows, of: points)
    }
}
