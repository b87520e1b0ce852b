/// What a row group says of a column's values: between which bounds they are, and how many are missing.
struct ParquetStatistics {
    let physical: ParquetElement.Physical?
    private var least: [UInt8]?
    private var greatest: [UInt8]?
    private var missing: Int?

    /// Longer bounds are not worth their memory.
    private static let longest = 1 << 10

    /// Field numbers are those of `Statistics` in parquet.thrift; the older ones for bounds, whose order is
    /// not known, are passed over.
    init(_ cursor: inout ThriftCursor, of physical: Int?) throws(ParquetFault) {
        self.physical = physical.flatMap(ParquetElement.Physical.init(rawValue:))
        var id = 0
        while let kind = try cursor.field(&id) {
            switch id {
            case 3: missing = try cursor.integer(kind)
            case 5: greatest = Self.bound(try cursor.binary(kind))
            case 6: least = Self.bound(try cursor.binary(kind))
            default: try cursor.skip(kind)
            }
        }
    }

    private static func bound(_ bytes: Span<UInt8>) -> [UInt8]? {
        bytes.count <= longest ? bytes.indices.map { bytes[$0] } : nil
    }

    /// Whether all rows have a value, as far as is known.
    var isComplete: Bool { missing == 0 }

    /// Between which numbers all values are; whole ones in the order of signed numbers.
    var numbers: ClosedRange<Double>? {
        guard let least = least.flatMap(number), let greatest = greatest.flatMap(number),
            least <= greatest
        else { return nil }
        // Numbers of four bytes may be rounded, and not outwards; large whole ones are rounded here.
        let share = physical == .float ? 0x1p-23 : physical == .int64 ? 0x1p-52 : 0
        let slack = max(abs(least), abs(greatest)) * share
        return slack.isFinite ? least - slack...greatest + slack : nil
    }

    private func number(_ bytes: [UInt8]) -> Double? {
        guard bytes.count <= 8 else { return nil }
        let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch (physical, bytes.count) {
        case (.float, 4): return Double(Float(bitPattern: UInt32(bits)))
        case (.double, 8): return Double(bitPattern: bits)
        case (.int32, 4): return Double(Int32(bitPattern: UInt32(bits)))
        case (.int64, 8): return Double(Int64(bitPattern: bits))
        default: return nil
        }
    }

    /// Between which texts all values are, in the order of their bytes.
    var texts: (least: [UInt8], greatest: [UInt8])? {
        guard physical == .bytes, let least, let greatest else { return nil }
        return (least, greatest)
    }
}
