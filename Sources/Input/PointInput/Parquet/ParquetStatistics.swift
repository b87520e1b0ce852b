/// A row group's statistics of a column: the bounds of its values, and the number of missing ones.
struct ParquetStatistics {
    let physical: ParquetElement.Physical?
    private var least: [UInt8]?
    private var greatest: [UInt8]?
    private var missing: Int?

    /// Longer bounds are not worth their memory.
    private static let longest = 1 << 10

    /// The field numbers are those of `Statistics` in parquet.thrift; the older fields for bounds,
    /// whose order is not defined, are ignored.
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

    /// Whether all rows are known to have a value.
    var isComplete: Bool { missing == 0 }

    /// The range of all values as numbers; whole numbers in signed order.
    var numbers: ClosedRange<Double>? {
        guard let least = least.flatMap(number), let greatest = greatest.flatMap(number),
            least <= greatest
        else { return nil }
        // Numbers of four bytes may have been rounded inwards; large whole numbers are rounded here.
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

    /// The range of all values as texts, in byte order.
    var texts: (least: [UInt8], greatest: [UInt8])? {
        guard physical == .bytes, let least, let greatest else { return nil }
        return (least, greatest)
    }
}
