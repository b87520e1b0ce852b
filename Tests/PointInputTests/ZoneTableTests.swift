import TestSupport
import Testing

@testable import PointInput

/// Files of time zones made by the book (RFC 9636), against a look at every change in them.
struct ZoneTableTests {
    /// The changes of a zone: when each comes, and of which type it is.
    private struct Zone {
        var changes: [(at: Int, type: Int)] = []
        var offsets = [3_600]
        var footer = ""

        /// A block with so many bytes a time, and some of what is passed over.
        private func block(_ bytesPerTime: Int, extras: Int) -> [UInt8] {
            // How many UT and standard indicators, leap seconds, times, types and letters.
            let counts = [extras, 2 * extras, extras, changes.count, offsets.count, 3 + extras]
            var bytes = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
            for count in counts { bytes += Self.big(count, 4) }
            for change in changes { bytes += Self.big(change.at, bytesPerTime) }
            bytes += changes.map { UInt8($0.type) }
            for offset in offsets { bytes += Self.big(offset, 4) + [0, 0] }
            let rest = counts[5] + counts[2] * (bytesPerTime + 4) + counts[1] + counts[0]
            return bytes + [UInt8](repeating: 0x41, count: rest)
        }

        func bytes(extras: Int = 0) -> [UInt8] {
            var old = self
            // The part of 32 bits may say something else.
            old.changes = [(0, 0)]
            return old.block(4, extras: extras) + block(8, extras: extras)
                + Array("\n\(footer)\n".utf8)
        }

        private static func big(_ number: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - $0))) }
        }
    }

    private static func zone(using random: inout SeededRandom) -> Zone {
        var zone = Zone()
        zone.offsets = (0..<Int.random(in: 1...4, using: &random)).map { _ in
            900 * Int.random(in: -48...56, using: &random)
        }
        var at = Int.random(in: -3_000_000_000...100, using: &random)
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            zone.changes.append((at, Int.random(in: 0..<zone.offsets.count, using: &random)))
            at += Int.random(in: 1...100_000_000, using: &random)
        }
        return zone
    }

    @Test(arguments: UInt64(0)..<4)
    func `a moment has the offset of the last change before it, up to the next one`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed + 760)
        for extras in 0..<20 {
            let zone = Self.zone(using: &random)
            let table = try #require(ZoneTable(zone.bytes(extras: extras % 3)))
            #expect(table.starts == zone.changes.map(\.at))
            let moments =
                zone.changes.flatMap { [$0.at - 1, $0.at, $0.at + 1] } + [0, -1 << 40, 1 << 40]
            for moment in moments {
                let last = zone.changes.last { $0.at <= moment }
                let next = zone.changes.first { $0.at > moment }
                let (range, offset) = table.stretch(at: moment)
                #expect(range == (last?.at ?? .min)..<(next?.at ?? .max))
                #expect(offset == zone.offsets[last?.type ?? 0])
                var clock = ZoneClock(table)
                #expect(clock.offset(at: moment) == offset)
            }
            // A clock that was asked before answers the same.
            var clock = ZoneClock(table)
            for moment in moments.shuffled(using: &random) {
                #expect(clock.offset(at: moment) == table.stretch(at: moment).offset)
            }
        }
    }

    @Test func `past the last change the rule holds, and not before`() throws {
        var zone = Zone()
        zone.offsets = [0, 7_200]
        // 1 January 2024, and a rule of two hours from April to October, one else.
        zone.changes = [(0, 0), (1_704_067_200, 1)]
        zone.footer = "A-1B,J91,J274"
        let table = try #require(ZoneTable(zone.bytes()))
        for (moment, offset) in [
            (-5, 0), (5, 0), (1_704_067_199, 0), (1_704_067_200, 3_600), (1_711_933_199, 3_600),
            // 1 April at two by the clock before, and 1 October at two.
            (1_711_933_200, 7_200), (1_727_740_799, 7_200), (1_727_740_800, 3_600),
        ] {
            #expect(table.stretch(at: moment).offset == offset, "\(moment)")
            #expect(table.stretch(at: moment).range.contains(moment))
        }
        #expect(table.stretch(at: 1_704_067_200).range.lowerBound == 1_704_067_200)
        #expect(table.stretch(at: 1_711_933_200).range == 1_711_933_200..<1_727_740_800)
    }

    @Test func `a file that is cut or says what cannot be is no zone`() {
        var random = SeededRandom(seed: 770)
        var zone = Self.zone(using: &random)
        zone.changes = [(0, 0), (100, 0)]
        let whole = zone.bytes()
        let footer = 2
        for count in 0..<whole.count - footer { #expect(ZoneTable(Array(whole[..<count])) == nil) }
        #expect(ZoneTable(whole) != nil)
        // Of the first version, or of no such file.
        for (place, byte) in [(4, UInt8(ascii: "1")), (0, 0), (3, 0)] {
            var bytes = whole
            bytes[place] = byte
            #expect(ZoneTable(bytes) == nil)
        }
        for changes in [[(0, zone.offsets.count)], [(5, 0), (5, 0)], [(5, 0), (4, 0)]] {
            zone.changes = changes
            #expect(ZoneTable(zone.bytes()) == nil)
        }
        zone.changes = []
        zone.offsets = []
        #expect(ZoneTable(zone.bytes()) == nil)
    }
}
