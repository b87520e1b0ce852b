import ArchiveContract
import Geometry
import TestSupport
import Testing
import TileArchive

@testable import Inspection

/// Numbers at the very edge of what a check lets pass.
struct EdgeTests {
    @Test func `an abbreviated count is right up to half a step of its last digit`() {
        for (text, count, isRight) in [
            ("1k", 1_500, true), ("1k", 1_501, false), ("1k", 500, true), ("1k", 499, false),
            ("1M", 1_500_000, true), ("1M", 1_500_001, false), ("1M", 500_000, true),
            ("1M", 499_999, false), ("1G", 1_500_000_000, true), ("1G", 1_500_000_001, false),
            ("1G", 500_000_000, true), ("1G", 499_999_999, false), ("1.0G", 1_050_000_000, true),
            ("1.0G", 1_050_000_001, false), ("2.50M", 2_505_000, true), ("2.50M", 2_505_001, false),
            ("0k", 0, true), ("0k", 500, true), ("999", 999, true), ("1000", 1_000, false),
            ("12345678901", 12_345_678_901, false), ("9.999999999G", 9_999_999_999, true),
            ("1.2345678901k", 1_235, false), (".5k", 500, true), ("0.5k", 549, true),
            ("0.5k", 551, false),
        ] as [(String, Int64, Bool)] {
            let bytes = Array(text.utf8)
            #expect(bytes.span.abbreviates(count) == isRight, "\(text) of \(count)")
        }
        for (text, isRight) in [
            ("12345678901", true), ("123456789012", true), ("1234567890123", false),
        ] {
            let bytes = Array(text.utf8)
            #expect(bytes.span.abbreviates(Int64(text) ?? 0, .none) == isRight, "\(text)")
        }
    }

    @Test func `a point is near as far as rounding may have moved it, and no step further`() {
        var lookup = PointLookup()
        lookup.insert(5, at: GridPoint(x: 1_000, y: 2_000))
        lookup.insert(7, at: GridPoint(x: 0, y: 2_000))
        lookup.insert(9, at: GridPoint(x: 1 << 30 - 1, y: 2_000))
        lookup.sort()
        for (dx, dy, answer) in [
            (0, 0, .near), (4, 0, .near), (-4, 0, .near), (0, 4, .near), (0, -4, .near),
            (4, -4, .near), (4.001, 0, .elsewhere), (-4.001, 0, .elsewhere),
            (0, 4.001, .elsewhere), (0, -4.001, .elsewhere),
        ] as [(Double, Double, PointLookup.Answer)] {
            let found = lookup.look(for: 5, x: 1_000 + dx, y: 2_000 + dy, slack: 4)
            #expect(found == answer, "\(dx) \(dy)")
            #expect(lookup.look(for: 6, x: 1_000 + dx, y: 2_000 + dy, slack: 4) == .unknown)
        }
        // The world's end is its beginning.
        #expect(lookup.look(for: 7, x: GridPoint.steps - 4, y: 2_000, slack: 4) == .near)
        #expect(lookup.look(for: 7, x: GridPoint.steps - 5, y: 2_000, slack: 4) == .elsewhere)
        #expect(lookup.look(for: 9, x: 3, y: 2_000, slack: 4) == .near)
        #expect(lookup.look(for: 9, x: 4, y: 2_000, slack: 4) == .elsewhere)
    }

    @Test func `positions may differ by what rounding explains, and by whole worlds to the east`() {
        func differs(_ x: Double, _ y: Double, tolerance: Double, nodes: Int = 1) -> [Int] {
            var ledger = PositionLedger(buckets: 4)
            for _ in 0..<nodes {
                ledger.expect(.init(bucket: 2, x: 0.25, y: 0.5, tolerance: 0))
                ledger.find(.init(bucket: 2, x: 0.25 + x, y: 0.5 + y, tolerance: tolerance))
            }
            return ledger.differences
        }
        let least = 0x1p-30
        for (x, y, isFound) in [
            (0, 0, false), (least, 0, false), (-least, 0, false), (0, least, false),
            (0, -least, false), (least * 1.01, 0, true), (-least * 1.01, 0, true),
            (0, least * 1.01, true), (0, -least * 1.01, true), (1, 0, false), (-2, 0, false),
            (1 + least * 1.01, 0, true), (0, 1, true), (0.5, 0, true),
        ] {
            #expect(differs(x, y, tolerance: least) == (isFound ? [2] : []), "\(x) \(y)")
            #expect(differs(x, y, tolerance: least, nodes: 3) == (isFound ? [2] : []), "\(x) \(y)")
        }
        #expect(differs(0, 0x1p-50, tolerance: 0) == [])
    }

    @Test func `sums of both sides are equal where both have the same, in any order`() {
        var random = SeededRandom(seed: 7)
        for _ in 0..<40 {
            var (ledger, entries) = (Ledger(buckets: 8), [Ledger.Entry]())
            for _ in 0..<30 {
                let (hash, bucket) = (random.next(), UInt32(random.next() % 8))
                entries += [.expected(hash, in: bucket), .found(hash, in: bucket)]
            }
            entries.shuffle(using: &random)
            ledger.post(entries)
            #expect(ledger.differences == [])
            let left = entries.removeLast()
            var other = Ledger(buckets: 8)
            for entry in entries { other.post(entry) }
            #expect(other.differences == [Int(left.bucket)])
        }
        for zoom in [0, 1, 17, 31] {
            let cluster = DrawnLedger.cluster(id: 99, points: 5, zoom: zoom)
            #expect(DrawnLedger.zoom(ofBucket: Int(cluster.bucket)) == zoom)
            let point = DrawnLedger.point(77, zoom: zoom)
            #expect(DrawnLedger.zoom(ofBucket: Int(point.bucket)) == zoom && point.hash == 77)
            #expect(Int(max(cluster.bucket, point.bucket)) < DrawnLedger.buckets)
            #expect(cluster.hash != DrawnLedger.cluster(id: 99, points: 6, zoom: zoom).hash)
            #expect(cluster.hash != DrawnLedger.cluster(id: 98, points: 5, zoom: zoom).hash)
        }
    }

    /// A place that is said in degrees may be off by seven decimals, a drawn one by its grid.
    @Test func `an entry of a position is where the node says that it lies`() {
        let tile = TileID(z: 2, x: 3, y: 1)
        let node = DrawnNode(
            layer: 0, position: .init(x: 1_024, y: 2_048), extent: 4_096, hasID: false, id: 0)
        let found = PositionLedger.Entry(of: node, in: tile, bucket: 9)
        #expect(found.bucket == 9 && found.x == 3.25 / 4 && found.y == 1.5 / 4)
        #expect(found.tolerance == 0x1p-15 + 0x1p-31 + 0x1p-33)
        let nothing = DrawnNode(
            layer: 0, position: .init(x: 1, y: 0), extent: 0, hasID: false, id: 0)
        #expect(PositionLedger.Entry(of: nothing, in: tile, bucket: 0).x == 1)
        let expected = PositionLedger.Entry(of: GridPoint(x: 1 << 29, y: 1 << 28), bucket: 4)
        #expect(expected.x == 0.5 && expected.y == 0.25 && expected.tolerance == 0)
        #expect(expected.bucket == 4)
    }
}
