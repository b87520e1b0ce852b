/// The types of Arrow columns, with the numbers of Schema.fbs.
enum ArrowType {
    static func kind(_ code: UInt8, _ type: borrowing FlatTable) throws -> ColumnKind {
        switch code {
        case 1: return .nothing
        case 2:
            let bits: Int32 = try type.integer(0, default: 0)
            let isSigned: UInt8 = try type.integer(1, default: 0)
            guard [8, 16, 32, 64].contains(bits) else { return .other }
            return .integer(bytes: Int(bits) / 8, isSigned: isSigned != 0)
        case 3:
            let precision: Int16 = try type.integer(0, default: 0)
            return precision == 2 ? .double : precision == 1 ? .float : .half
        case 4, 19: return .binary(isLarge: code == 19)
        case 5, 20: return .text(isLarge: code == 20)
        case 6: return .bool
        case 7:
            let bits: Int32 = try type.integer(2, default: 128)
            let scale: Int32 = try type.integer(1, default: 0)
            guard [32, 64, 128, 256].contains(bits) else { return .other }
            return .decimal(bytes: Int(bits) / 8, scale: Int(scale), isBigEndian: false)
        case 8:
            let unit: Int16 = try type.integer(0, default: 1)
            return .date(inDays: unit == 0)
        case 10:
            let unit: Int16 = try type.integer(0, default: 0)
            let scales: [Int64] = [1, 1_000, 1_000_000, 1_000_000_000]
            guard scales.indices.contains(Int(unit)) else { return .other }
            let zone = try type.text(1) ?? ""
            return .timestamp(perSecond: scales[Int(unit)], isUTC: !zone.isEmpty)
        case 15:
            let bytes: Int32 = try type.integer(0, default: 0)
            let fits = bytes > 0 && bytes <= ColumnKind.longestFixed
            return fits ? .fixedBinary(bytes: Int(bytes)) : .other
        case 23: return .binary(isLarge: false)
        case 24: return .text(isLarge: false)
        case 22: return .runs
        case 9, 11...14, 16...18, 21, 25, 26: return .other
        default: throw ArrowFault.badMessage("the type \(code) is unknown")
        }
    }

    /// The node of a type's column, without those of its children.
    static func node(_ code: UInt8, _ type: borrowing FlatTable) throws -> ArrowSchema.Node {
        switch code {
        // Null and run-end encoded.
        case 1, 22: return .init(bufferCount: 0)
        // Structures and fixed-size lists have only a validity bitmap.
        case 13, 16: return .init(bufferCount: 1)
        // Unions: kinds, and in dense mode also offsets.
        case 14:
            let mode: Int16 = try type.integer(0, default: 0)
            return .init(bufferCount: mode == 1 ? 2 : 1)
        // Texts, and lists with offsets and sizes.
        case 4, 5, 19, 20, 25, 26: return .init(bufferCount: 3)
        case 23, 24: return .init(bufferCount: 2, isView: true)
        default: return .init(bufferCount: 2)
        }
    }
}

extension ColumnKind {
    /// The same kind with 32-bit offsets, which columns assembled here have.
    var small: ColumnKind {
        switch self {
        case .text: .text(isLarge: false)
        case .binary: .binary(isLarge: false)
        default: self
        }
    }
}
