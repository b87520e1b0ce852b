import Geometry

/// Which leaves of a schema say in what box the geometries of a row group lie.
struct BoxLeaves: Sendable {
    var west: Int
    var south: Int
    var east: Int
    var north: Int

    var all: Set<Int> { [west, south, east, north] }
}

/// Row groups that lie outside of the box that is asked for: they are counted and not read.
struct RowGroupSkip: Sendable {
    private let box: LonLatBox
    let leaves: BoxLeaves

    /// Nil where no box is asked for, or the file does not say in degrees where its row groups lie.
    init?(_ options: InputOptions, _ selection: ColumnSelection, _ schema: ParquetSchema) {
        guard let box = options.box,
            (selection.crs ?? options.crs ?? .lonLat).kind == .lonLat
        else { return nil }
        self.box = box
        let columns = selection.sources.map { schema.columns[$0] }
        switch selection.coordinates {
        case .geometry(let column), .interleaved(let column, _):
            guard let leaves = schema.boxes[columns[column].field.name] else { return nil }
            self.leaves = leaves
        case .columns(let x, let y):
            let (x, y) = (columns[x].leaf, columns[y].leaf)
            leaves = BoxLeaves(west: x, south: y, east: x, north: y)
        }
    }

    /// Whether surely all of a row group lies outside. One with rows that have no place, or past the
    /// antimeridian, is read.
    func leavesOut(_ group: ParquetRowGroup) -> Bool {
        guard let west = group.bounds[leaves.west], let east = group.bounds[leaves.east],
            let south = group.bounds[leaves.south], let north = group.bounds[leaves.north],
            // Where west is greater than east a geometry crosses the antimeridian.
            west.upperBound <= east.upperBound, west.lowerBound <= east.lowerBound,
            west.lowerBound > -180, east.upperBound < 180,
            south.lowerBound >= -90, north.upperBound <= 90
        else { return false }
        let (least, greatest) = (west.lowerBound, east.upperBound)
        let isBeside =
            box.crossesAntimeridian
            ? least > box.east && greatest < box.west : least > box.east || greatest < box.west
        return isBeside || north.upperBound < box.south || south.lowerBound > box.north
    }
}

/// What the statistics of a column in a row group say of its numbers.
struct ParquetBounds {
    private var least: [UInt8] = []
    private var greatest: [UInt8] = []
    private var missing: Int?

    /// Field numbers are those of `Statistics` in parquet.thrift; the older ones for bounds are passed over.
    init(_ cursor: inout ThriftCursor) throws(ParquetFault) {
        var id = 0
        while let kind = try cursor.field(&id) {
            switch id {
            case 3: missing = try cursor.integer(kind)
            case 5: greatest = Self.number(try cursor.binary(kind))
            case 6: least = Self.number(try cursor.binary(kind))
            default: try cursor.skip(kind)
            }
        }
    }

    /// Other values have no bounds that matter here, and may be long.
    private static func number(_ bytes: Span<UInt8>) -> [UInt8] {
        bytes.count <= 8 ? bytes.indices.map { bytes[$0] } : []
    }

    /// Nil where a row has no value, or where that is not known.
    func range(_ physical: Int) -> ClosedRange<Double>? {
        guard missing == 0, let least = Self.value(least, physical),
            let greatest = Self.value(greatest, physical), least <= greatest
        else { return nil }
        // Numbers of four bytes are rounded, and not all programs round outwards.
        let isShort = physical == ParquetElement.Physical.float.rawValue
        let slack = isShort ? max(abs(least), abs(greatest)) * 0x1p-23 : 0
        return least - slack...greatest + slack
    }

    private static func value(_ bytes: [UInt8], _ physical: Int) -> Double? {
        let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch (ParquetElement.Physical(rawValue: physical), bytes.count) {
        case (.float, 4): return Double(Float(bitPattern: UInt32(bits)))
        case (.double, 8): return Double(bitPattern: bits)
        default: return nil
        }
    }
}
