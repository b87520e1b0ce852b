import PointInput
import Points

/// How points are identified when they change.
public enum PointIdentity: Equatable, Sendable {
    /// Points are identified by the ids of their features.
    case id
    case attribute(String)
    /// Points are identified by the ids that an attribute gave them, or by its value where that cannot be an id.
    case ids(from: String)
}

/// Identifies a point by the spelling of a value: 5 and "5" are the same key, "05" is another.
public enum PointKey: Hashable, Sendable {
    case number(UInt64)
    /// The bytes of a text: letters that look alike may have different bytes.
    case text([UInt8])

    /// The key for a line of a list.
    public init(spelling: String) {
        if let number = UInt64(spelling), "\(number)" == spelling {
            self = .number(number)
        } else {
            self = .text(Array(spelling.utf8))
        }
    }

    /// A number that follows from the key; several keys may share one. 0 is for points without a key.
    var mark: UInt32 {
        let sum =
            switch self {
            case .number(let number): PointsSum.mixed(1, number)
            case .text(let text): PointsSum.mixed(2, ByteSum.of(text.span))
            }
        return max(1, UInt32(truncatingIfNeeded: sum))
    }

    init(_ value: AttributeValue) {
        self =
            switch value {
            case .integer(let integer) where integer >= 0: .number(UInt64(integer))
            case .unsigned(let unsigned): .number(unsigned)
            case .text(let text): PointKey(spelling: text)
            case .integer, .number, .bool: .text(Array(value.spelling.utf8))
            }
    }
}

extension PointKey: CustomStringConvertible {
    public var description: String {
        switch self {
        case .number(let number): "\(number)"
        case .text(let text): String(decoding: text, as: UTF8.self)
        }
    }
}

extension PointTable {
    /// The key of a point; nil if it has none.
    func key(of row: Int, by identity: PointIdentity) -> PointKey? {
        switch identity {
        case .id: id(of: row)
        case .ids(let name): id(of: row) ?? key(of: row, by: .attribute(name))
        case .attribute(let name):
            attributes.value(of: name, row: row).map { PointKey($0) }
        }
    }

    private func id(of row: Int) -> PointKey? {
        guard let id = ids?[row], id != Self.noID else { return nil }
        return .number(id)
    }
}
