import Expressions
import Geometry

/// The leaves of a schema that give the box of a row group's geometries.
struct BoxLeaves: Sendable {
    var west: Int
    var south: Int
    var east: Int
    var north: Int
}

/// Finds row groups of which no row can be kept: they are counted, not read.
///
/// It uses the requested box or, without one, the filter.
struct RowGroupSkip: Sendable {
    private var box: (asked: LonLatBox, leaves: BoxLeaves)?
    private var ranges: [(leaf: Int, bounds: AttributeRange.Bounds)] = []
    /// The coordinates' leaves: rows without a value are counted as such, so they must be read.
    private let places: [Int]
    let reason: RejectReason

    init(_ options: InputOptions, _ selection: ColumnSelection, _ schema: ParquetSchema) {
        let columns = selection.sources.map { schema.columns[$0] }
        let leaves: BoxLeaves?
        switch selection.coordinates {
        case .geometry(let column), .interleaved(let column, _):
            leaves = schema.boxes[columns[column].field.name]
            places = [columns[column].leaf]
        case .columns(let x, let y):
            places = [columns[x].leaf, columns[y].leaf]
            let isPlain = columns[x].hasPlainNumbers && columns[y].hasPlainNumbers
            leaves =
                isPlain
                ? BoxLeaves(west: places[0], south: places[1], east: places[0], north: places[1])
                : nil
        }
        reason = options.box == nil ? .filtered : .outside
        // In a list of changes excluded records matter, because their points are removed.
        guard options.removalMark == nil else { return }
        if let asked = options.box {
            // The box is in degrees.
            let isInDegrees = (selection.crs ?? options.crs ?? .lonLat).kind == .lonLat
            box = isInDegrees ? leaves.map { (asked, $0) } : nil
        } else {
            ranges = (options.filter?.ranges ?? []).compactMap { range in
                columns.first { $0.field.name == range.name && $0.has(range.bounds, options) }
                    .map { ($0.leaf, range.bounds) }
            }
        }
    }

    /// The leaves whose statistics are needed.
    var leaves: Set<Int> {
        if let leaves = box?.leaves {
            return [leaves.west, leaves.south, leaves.east, leaves.north]
        }
        return ranges.isEmpty ? [] : Set(ranges.map(\.leaf) + places)
    }

    /// Whether certainly no row of a group is kept.
    func leavesOut(_ group: ParquetRowGroup) -> Bool {
        if let box { return Self.isOutside(box.asked, group, box.leaves) }
        return places.allSatisfy { group.statistics[$0]?.isComplete ?? false }
            && ranges.contains { isOutside($0.bounds, group.statistics[$0.leaf]) }
    }

    /// Whether a row group is outside of a box; false if it has rows without a position or past the antimeridian.
    private static func isOutside(
        _ box: LonLatBox, _ group: ParquetRowGroup, _ leaves: BoxLeaves
    ) -> Bool {
        func range(_ leaf: Int) -> ClosedRange<Double>? {
            group.statistics[leaf].flatMap { $0.isComplete ? $0.numbers : nil }
        }
        guard let west = range(leaves.west), let east = range(leaves.east),
            let south = range(leaves.south), let north = range(leaves.north)
        else { return false }
        return isOutside(box, west, south, east, north)
    }

    /// Whether boxes whose sides are in these ranges are certainly outside of another.
    static func isOutside(
        _ box: LonLatBox, _ west: ClosedRange<Double>, _ south: ClosedRange<Double>,
        _ east: ClosedRange<Double>, _ north: ClosedRange<Double>
    ) -> Bool {
        // If west is greater than east, a geometry crosses the antimeridian.
        guard west.upperBound <= east.upperBound, west.lowerBound <= east.lowerBound,
            west.lowerBound > -180, east.upperBound < 180,
            south.lowerBound >= -90, north.upperBound <= 90
        else { return false }
        let (least, greatest) = (west.lowerBound, east.upperBound)
        let isBeside =
            box.crossesAntimeridian
            ? least > box.east && greatest < box.west : least > box.east || greatest < box.west
        return isBeside || north.upperBound < box.south || south.lowerBound > box.north
    }

    private func isOutside(
        _ bounds: AttributeRange.Bounds, _ statistics: ParquetStatistics?
    ) -> Bool {
        switch bounds {
        case .numbers(let asked):
            return statistics?.numbers.map { !$0.overlaps(asked) } ?? false
        case .texts(let least, let greatest):
            guard let texts = statistics?.texts else { return false }
            return texts.greatest.lexicographicallyPrecedes(least.utf8)
                || greatest.utf8.lexicographicallyPrecedes(texts.least)
        }
    }
}

extension ParquetColumn {
    /// Whether its values have this kind, and the filter sees them as they are in the file.
    fileprivate func has(_ bounds: AttributeRange.Bounds, _ options: InputOptions) -> Bool {
        let name = field.name
        guard options.kinds[name] == nil, options.values[name] == nil,
            !(options.join?.names.contains(name) ?? false)
        else { return false }
        return switch bounds {
        case .numbers: hasPlainNumbers
        case .texts: if case .text = field.kind { true } else { false }
        }
    }

    /// Whether its statistics give its numbers: those of decimals are without a scale.
    fileprivate var hasPlainNumbers: Bool {
        switch field.kind {
        case .double, .float, .integer(_, true): true
        default: false
        }
    }
}
