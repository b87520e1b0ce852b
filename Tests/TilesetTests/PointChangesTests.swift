import Geometry
import Points
import TestSupport
import Testing

@testable import Tileset

/// Changes of points, held against a list that is changed by hand; and what a report counts.
struct PointChangesTests {
    private struct Point: Equatable {
        var x: Double
        var key: UInt64?
    }

    private static func table(
        _ points: [Point], removals: [(key: UInt64, kind: PointRemoval)] = [], byID: Bool,
        _ keys: AttributeKeys
    ) -> PointTable {
        var table = PointTable(keys: keys)
        let attribute = keys.intern("ref")
        var batch = PointBatch()
        for point in points {
            if !byID, let key = point.key {
                batch.records.append(attribute, AttributeValue.unsigned(key))
            }
            batch.append(
                WorldPoint(x: point.x, y: 0.5),
                id: byID ? point.key ?? PointTable.noID : PointTable.noID)
        }
        for removal in removals {
            if !byID { batch.records.append(attribute, AttributeValue.unsigned(removal.key)) }
            batch.append(removal.kind, id: byID ? removal.key : PointTable.noID)
        }
        table.append(batch)
        return table
    }

    private static func points(_ table: PointTable, byID: Bool) -> [Point] {
        (0..<table.count).map { row in
            Point(
                x: table.xs[row],
                key: byID
                    ? table.ids.flatMap { $0[row] == PointTable.noID ? nil : $0[row] }
                    : table.attributes.value(of: "ref", row: row)?.asNumber.map { UInt64($0) })
        }
    }

    /// What becomes of a list, and what comes behind it.
    private static func changedByHand(
        _ old: [Point], _ new: [Point], _ removals: [(key: UInt64, kind: PointRemoval)],
        _ deletions: [UInt64]
    ) -> (tally: PointChanges.Tally, stay: [Point], come: [Point]) {
        // By hand: of several changes of a key the last counts.
        var change: [UInt64: (point: Point?, isTold: Bool)] = [:]
        for key in deletions { change[key] = (nil, true) }
        for point in new { if let key = point.key { change[key] = (point, true) } }
        for removal in removals { change[removal.key] = (nil, removal.kind == .asked) }
        var wanted = PointChanges.Tally()
        wanted.marked = removals.count { $0.kind == .asked }
        let keyed = new.compactMap(\.key)
        let isOverruled = Set(removals.map(\.key))
        wanted.superseded = keyed.count - Set(keyed).subtracting(isOverruled).count
        let stay = old.compactMap { point -> Point? in
            guard let key = point.key, let to = change.removeValue(forKey: key) else {
                return point
            }
            if to.point == nil { wanted.removed += 1 } else { wanted.replaced += 1 }
            return to.point
        }
        wanted.unknown = change.values.count { $0.point == nil && $0.isTold }
        let come = new.filter { point in
            point.key == nil || change[point.key ?? 0]?.point == point
        }
        wanted.added = come.count
        return (wanted, stay, come)
    }

    @Test(arguments: 0..<10, [false, true])
    func `points are replaced where they stand, go, and come behind`(seed: UInt64, byID: Bool)
        throws
    {
        var random = SeededRandom(seed: seed)
        let identity: PointIdentity = byID ? .id : .attribute("ref")
        for _ in 0..<12 {
            let keys = AttributeKeys()
            // Each key once, and points without.
            let old = (0..<40 as Range<UInt64>).map {
                Point(x: random.unit(), key: $0 % 5 == 4 ? nil : $0)
            }
            let new = (0..<Int(random.next() % 12)).map { _ in
                Point(x: random.unit(), key: random.next() % 6 == 0 ? nil : random.next() % 60)
            }
            let removals = (0..<Int(random.next() % 5)).map { _ in
                (
                    key: random.next() % 60,
                    kind: random.next() % 2 == 0 ? PointRemoval.asked : .leftOut
                )
            }
            let deletions = (0..<Int(random.next() % 4)).map { _ in random.next() % 60 }
            let (wanted, stay, come) = Self.changedByHand(old, new, removals, deletions)
            var changes = PointChanges(
                Self.table(new, removals: removals, byID: byID, keys),
                deletions: deletions.map { .number($0) }, leaves: nil, by: identity, layer: "a")
            var found: [Point] = []
            for part in [old[..<17], old[17...]] {
                let block = Self.table(Array(part), byID: byID, keys)
                found += Self.points(try changes.apply(to: block) ?? block, byID: byID)
            }
            let last = Self.points(try changes.finish(), byID: byID)
            #expect(found == stay && last == come)
            #expect(changes.tally == wanted)
        }
    }

    @Test func `two points of a key that changes are refused, and keys that no point has`() throws {
        let keys = AttributeKeys()
        let twins = Self.table([Point(x: 0.1, key: 3), Point(x: 0.2, key: 3)], byID: true, keys)
        var changes = PointChanges(
            PointTable(keys: keys), deletions: [.number(3)], leaves: nil, by: .id, layer: "a")
        #expect(throws: UpdateError.twoPoints(key: "3", identity: .id, layer: "a")) {
            _ = try changes.apply(to: twins)
        }
        var others = PointChanges(
            PointTable(keys: keys), deletions: [.number(4)], leaves: nil, by: .id, layer: "a")
        let same = try others.apply(to: twins)
        #expect(same == nil && others.tally == .init())
        _ = try others.finish()
        #expect(others.tally.unknown == 1)
        var lost = PointChanges(
            PointTable(keys: keys), deletions: [.number(4)], leaves: nil, by: .id, layer: "a")
        _ = try lost.apply(to: Self.table([Point(x: 0.1, key: nil)], byID: true, keys))
        #expect(throws: UpdateError.noKeys(identity: .id, layer: "a")) { _ = try lost.finish() }
    }

    @Test(
        arguments: [
            ("5", 5), ("05", nil), ("+5", nil), ("-5", nil), ("5.0", nil),
            ("18446744073709551615", .max),
            ("18446744073709551616", nil), ("", nil), (" 5", nil), ("e\u{301}", nil),
        ] as [(String, UInt64?)])
    func `a key is a number where it is spelled as one`(text: String, number: UInt64?) {
        let key = number.map { PointKey.number($0) } ?? .text(Array(text.utf8))
        #expect(PointKey(spelling: text) == key && PointKey(.text(text)) == key)
        #expect(key.description == text)
        #expect(
            PointKey(.integer(5)) == .number(5)
                && PointKey(.integer(-5)) == PointKey(spelling: "-5"))
        #expect(PointKey(.unsigned(.max)) == .number(.max))
        #expect(PointKey(.bool(true)) == PointKey(spelling: "true"))
    }

    @Test(arguments: 0..<4)
    func `a report adds up tiles zoom by zoom, and knows the five largest`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var parts = [TileFigures(), TileFigures()]
        var all: [(entry: EncodedTiles.Entry, bytes: Int)] = []
        for zoom in [0, 1, 3, 4] as [UInt8] {
            var batches = parts.map { _ in
                EncodedTiles(grid: TileGrid(zoom: zoom, bufferPixels: 8))
            }
            for _ in 0..<[1, 3, 20, 40][Int(min(zoom, 3))] {
                let tile = TileID(
                    z: zoom, x: UInt32(random.next() % (1 << zoom)),
                    y: UInt32(random.next() % (1 << zoom)))
                var entry = EncodedTiles.Entry(tile: tile, features: Int(random.next() % 50))
                for _ in 0..<random.next() % 3 { entry.figures.includePoint() }
                for _ in 0..<random.next() % 3 {
                    entry.figures.includeCluster(of: Int(2 + random.next() % 30))
                }
                let bytes = Int(random.next() % 30)
                all.append((entry, bytes))
                let part = Int(random.next() % 2)
                batches[part].bytes += [UInt8](repeating: 0, count: bytes)
                batches[part].append(entry)
            }
            for part in parts.indices { parts[part].include(batches[part]) }
        }
        var report = BuildReport()
        parts[0].merge(parts[1])
        report.tell(parts[0])
        #expect(report.zooms.map(\.zoom) == [0, 1, 3, 4] && report.deepestZoom == 4)
        for zoom in report.zooms {
            let own = all.filter { $0.entry.tile.z == zoom.zoom }
            #expect(zoom.tiles == own.count && zoom.bytes == own.reduce(0) { $0 + $1.bytes })
            #expect(zoom.points == own.reduce(0) { $0 + $1.entry.figures.points })
            #expect(zoom.clusters == own.reduce(0) { $0 + $1.entry.figures.clusters })
            #expect(zoom.pointCount == own.reduce(0) { $0 + $1.entry.figures.pointCount })
            #expect(zoom.largestCluster == own.map(\.entry.figures.largestCluster).max())
        }
        #expect(
            report.tileCount == all.count && report.tileBytes == all.reduce(0) { $0 + $1.bytes })
        Self.expectLargest(of: report, all)
    }

    private static func expectLargest(
        of report: BuildReport, _ all: [(entry: EncodedTiles.Entry, bytes: Int)]
    ) {
        let largest = all.map(\.bytes).sorted(by: >).prefix(5)
        #expect(report.largestTiles.map(\.bytes) == Array(largest))
        #expect(
            report.largestTiles.allSatisfy { large in
                all.contains {
                    $0.entry.tile == large.tile && $0.bytes == large.bytes
                        && $0.entry.features == large.features
                }
            })
        #expect(
            zip(report.largestTiles, report.largestTiles.dropFirst()).allSatisfy {
                $0.bytes > $1.bytes || $0.tile <= $1.tile
            })
    }
}
