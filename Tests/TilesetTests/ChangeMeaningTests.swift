import Geometry
import Points
import Synchronization
import TestSupport
import Testing
import TileArchive

@testable import Tileset

/// What changes are meant for: points that are there, or such as come.
struct ChangeMeaningTests {
    private static func changes(
        _ ids: [UInt64], removals: [PointRemoval] = [], deletions: [PointKey] = []
    ) -> PointChanges {
        var (table, batch) = (PointTable(), PointBatch())
        for id in ids { batch.append(WorldPoint(x: 0.5, y: 0.5), id: id) }
        for (number, removal) in removals.enumerated() {
            batch.append(removal, id: UInt64(900 + number))
        }
        table.append(batch)
        return PointChanges(table, deletions: deletions, leaves: nil, by: .id, layer: "a")
    }

    @Test func `where no point has a key, points with one may come and none may go`() throws {
        let noKeys = UpdateError.noKeys(identity: .id, layer: "a")
        var coming = Self.changes([3, 4])
        #expect(try coming.finish().count == 2)
        #expect(coming.tally == .init(added: 2))
        for deletions in [[PointKey.number(7)], [.number(7), .number(8)]] {
            // A layer without points may get its first ones together with deletions.
            for hasPoints in [false, true] {
                var going = Self.changes([3], deletions: deletions)
                if hasPoints {
                    going.meetPoints(withKeys: false)
                    #expect(throws: noKeys) { _ = try going.finish() }
                    going.meetPoints(withKeys: true)
                }
                #expect(try going.finish().count == 1)
                #expect(going.tally.unknown == deletions.count)
            }
        }
        var asked = Self.changes([], removals: [.asked])
        asked.meetPoints(withKeys: false)
        #expect(throws: noKeys) { _ = try asked.finish() }
        // A record that is left out need not have been there.
        var leftOut = Self.changes([5], removals: [.leftOut])
        #expect(try leftOut.finish().count == 1)
        #expect(leftOut.tally == .init(added: 1))
    }

    @Test func `who compares is shown the old archive first, and then the new one`() throws {
        let living = try LivingPoints.small()
        let before = UInt64(living.points.count)
        var request = UpdateRequest()
        request.sources = [
            try living.write([living.line(of: living.add())], to: "changes.geojsonl")
        ]
        let shown = Mutex<[Int64]>([])
        let update = TilesetUpdate(
            of: living.archive, request, options: living.options,
            preview: { preview in
                guard case .archives(let old, let new) = preview else { return }
                let counts = try [old, new].map { try $0.leafBlockTable().leafCount }
                shown.withLock { $0 += counts }
            })
        _ = try update.run()
        #expect(shown.withLock(\.self) == [Int64(before), Int64(before) + 1])
        struct Refusal: Error, Equatable {}
        let refused = TilesetUpdate(
            of: living.archive, request, options: living.options,
            preview: { _ in throw Refusal() })
        #expect(throws: Refusal()) { _ = try refused.run() }
    }
}
