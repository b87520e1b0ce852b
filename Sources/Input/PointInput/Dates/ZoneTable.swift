import Basics
import Platform

/// The offsets of a zone from UTC over time: a file of the system's time zones (RFC 9636).
public struct ZoneTable: Sendable {
    /// The start of each offset, in seconds since 1970.
    private(set) var starts: [Int]
    private(set) var offsets: [Int]
    /// The offset before the first start.
    private(set) var first: Int
    /// The rule after the last start.
    private(set) var rule: ZoneRule?

    public struct Unknown: Error, CustomStringConvertible {
        let name: String
        public var description: String {
            "there is no time zone '\(name)' in \(ZoneTable.folder); write it as Europe/Zurich, and install "
                + "tzdata where that folder is missing"
        }
    }

    static let folder = "/usr/share/zoneinfo"
    private static let largestFile = 1 << 20

    /// The zone with a name in the system's files.
    public static func named(_ name: String) throws(Unknown) -> ZoneTable {
        let isName =
            !name.isEmpty && !name.hasPrefix("/") && !name.split(separator: "/").contains("..")
        guard isName, let bytes = try? File.contents(of: "\(folder)/\(name)", limit: largestFile),
            let table = ZoneTable(bytes)
        else {
            if name == "UTC" { return ZoneTable() }
            throw Unknown(name: name)
        }
        return table
    }

    init() { (starts, offsets, first, rule) = ([], [], 0, nil) }

    /// Reads the part of a file with 64-bit times.
    init?(_ bytes: [UInt8]) {
        guard let short = Header(bytes, at: 0), short.version >= UInt8(ascii: "2"),
            let header = Header(bytes, at: short.end(timeBytes: 4))
        else { return nil }
        let times = header.start
        let kinds = times + 8 * header.times
        let types = kinds + header.times
        let end = header.end(timeBytes: 8)
        guard header.types > 0, end <= bytes.count else { return nil }
        func offset(_ type: Int) -> Int? {
            type < header.types
                ? Int(Int32(truncatingIfNeeded: bytes.number(at: types + 6 * type, 4))) : nil
        }
        first = offset(0) ?? 0
        (starts, offsets) = ([], [])
        for index in 0..<header.times {
            guard let offset = offset(Int(bytes[kinds + index])) else { return nil }
            starts.append(bytes.number(at: times + 8 * index, 8))
            offsets.append(offset)
        }
        guard zip(starts, starts.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        let footer = bytes[end...].dropFirst().prefix { $0 != 0x0A }
        rule = ZoneRule(String(decoding: footer, as: UTF8.self))
    }

    /// A period around a moment with the same offset, which may be a part of a longer one.
    func stretch(at seconds: Int) -> (range: Range<Int>, offset: Int) {
        let after = starts.indices.partitionPoint { starts[$0] > seconds }
        if after == starts.count, let rule, let stretch = rule.stretch(at: seconds) {
            let start = max(stretch.range.lowerBound, starts.last ?? .min)
            return (start..<max(stretch.range.upperBound, seconds + 1), stretch.offset)
        }
        let start = after == 0 ? Int.min : starts[after - 1]
        let end = after == starts.count ? Int.max : starts[after]
        return (start..<end, after == 0 ? first : offsets[after - 1])
    }

    private struct Header {
        let start: Int
        let version: UInt8
        let counts: [Int]
        var times: Int { counts[3] }
        var types: Int { counts[4] }

        init?(_ bytes: [UInt8], at offset: Int) {
            guard offset >= 0, bytes.count >= offset + 44,
                Array(bytes[offset..<offset + 4]) == Array("TZif".utf8)
            else { return nil }
            start = offset + 44
            version = bytes[offset + 4]
            counts = (0..<6).map { bytes.number(at: offset + 20 + 4 * $0, 4) }
            guard counts.allSatisfy({ (0...bytes.count).contains($0) }) else { return nil }
        }

        /// The end of the data. Counts are of UT and standard indicators, leap seconds, times, types, letters.
        func end(timeBytes: Int) -> Int {
            start + counts[3] * (timeBytes + 1) + counts[4] * 6 + counts[5]
                + counts[2] * (timeBytes + 4) + counts[1] + counts[0]
        }
    }
}

/// A zone that caches the period of the last query.
struct ZoneClock: Sendable {
    private let table: ZoneTable
    private var known: (range: Range<Int>, offset: Int)

    init(_ table: ZoneTable) {
        self.table = table
        known = (0..<0, 0)
    }

    mutating func offset(at seconds: Int) -> Int {
        if !known.range.contains(seconds) { known = table.stretch(at: seconds) }
        return known.offset
    }
}

extension [UInt8] {
    /// A big-endian number.
    fileprivate func number(at start: Int, _ count: Int) -> Int {
        guard start + count <= self.count else { return -1 }
        var number: Int64 = count < 8 ? 0 : Int64(Int8(bitPattern: self[start]))
        for index in (count < 8 ? 0 : 1)..<count {
            number = number << 8 | Int64(self[start + index])
        }
        return Int(number)
    }
}
