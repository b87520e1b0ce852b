import CLibrary
import MessageTiles
import TestSupport
import Testing
import VectorTile

/// Rings, parts of tiles and memory, each against a plain second count on random data.
struct RandomRuleTests {
    private typealias Side = (a: TilePoint, b: TilePoint)

    private static func sides(_ ring: [TilePoint]) -> [Side] {
        ring.indices.map { (ring[$0], ring[($0 + 1) % ring.count]) }.filter { $0.a != $0.b }
    }

    /// Twice the area of a triangle; positive if it turns right on a map whose y goes down.
    private static func area(_ a: TilePoint, _ b: TilePoint, _ c: TilePoint) -> Int {
        Int(b.x - a.x) * Int(c.y - a.y) - Int(c.x - a.x) * Int(b.y - a.y)
    }

    private static func isOn(_ point: TilePoint, _ side: Side) -> Bool {
        area(side.a, side.b, point) == 0
            && (min(side.a.x, side.b.x)...max(side.a.x, side.b.x)).contains(point.x)
            && (min(side.a.y, side.b.y)...max(side.a.y, side.b.y)).contains(point.y)
    }

    private static func cross(_ s: Side, _ t: Side) -> Bool {
        area(s.a, s.b, t.a).signum() * area(s.a, s.b, t.b).signum() < 0
            && area(t.a, t.b, s.a).signum() * area(t.a, t.b, s.b).signum() < 0
    }

    private static func meet(_ s: Side, _ t: Side) -> Bool {
        cross(s, t) || isOn(s.a, t) || isOn(s.b, t) || isOn(t.a, s) || isOn(t.b, s)
    }

    /// On the ring, or an odd number of its sides to the right: looked for a little beside the grid.
    private static func isInside(_ point: TilePoint, _ ring: [TilePoint]) -> Bool {
        if sides(ring).contains(where: { isOn(point, $0) }) { return true }
        let (x, y) = (Double(point.x), Double(point.y) + 0.001)
        return sides(ring).count { side in
            let (ay, by) = (Double(side.a.y), Double(side.b.y))
            guard (ay < y) != (by < y) else { return false }
            return Double(side.a.x) + (y - ay) / (by - ay) * Double(side.b.x - side.a.x) > x
        } % 2 == 1
    }

    private static func rules(of rings: [[TilePoint]], version: UInt32) -> Set<TileRule> {
        let areas = rings.map { ring in
            ring.indices.dropFirst().dropLast().reduce(0) {
                $0 + area(ring[0], ring[$1], ring[$1 + 1])
            }
        }
        var rules: Set<TileRule> = []
        if rings.contains(where: { $0.first == $0.last }) { rules.insert(.closedRing) }
        if areas.contains(0) { rules.insert(.zeroAreaRing) }
        if version == 2 {
            if areas.first(where: { $0 != 0 }) ?? 0 < 0 { rules.insert(.interiorRingFirst) }
            for hole in rings.indices where areas[hole] < 0 {
                guard let outer = (0..<hole).last(where: { areas[$0] > 0 }) else { continue }
                if rings[hole].allSatisfy({ !isInside($0, rings[outer]) }) {
                    rules.insert(.interiorOutside)
                }
            }
        }
        if hasCrossing(rings) { rules.insert(.crossingRing) }
        if rings.contains(where: { zip($0, $0.dropFirst()).contains { $0 == $1 } }) {
            rules.insert(.zeroLengthLine)
        }
        return rules
    }

    private static func hasCrossing(_ rings: [[TilePoint]]) -> Bool {
        let all = rings.map(sides)
        for (first, ring) in all.enumerated() {
            for (i, s) in ring.enumerated() {
                for (j, t) in ring.enumerated() where j > i {
                    if j == i + 1, isOn(s.a, t) || isOn(t.b, s) { return true }
                    if i == 0, j == ring.count - 1, isOn(t.a, s) || isOn(s.b, t) { return true }
                    if j > i + 1, !(i == 0 && j == ring.count - 1), meet(s, t) { return true }
                }
                for other in all[(first + 1)...] where other.contains(where: { cross(s, $0) }) {
                    return true
                }
            }
        }
        return false
    }

    @Test func `rings break the rules that a plain look at all pairs of sides finds`() throws {
        var random = SeededRandom(seed: 1)
        var validator = TileValidator()
        var told: [TileRule: Int] = [:]
        for round in 0..<1_500 {
            let size = Int32(3 + round % 5)
            let rings = (0..<1 + Int(random.next() % 3)).map { _ in
                (0..<3 + Int(random.next() % 3)).map { _ in
                    TilePoint(
                        x: .random(in: 0...size, using: &random),
                        y: .random(in: 0...size, using: &random))
                }
            }
            let version = UInt32(1 + random.next() % 2)
            let tile = Tile(layers: [
                .init(name: "a", version: version, extent: 16, features: [.init(.rings(rings))])
            ])
            let found = try validator.findings(in: tile.packed().span)
            #expect(Set(found.map(\.rule)) == Self.rules(of: rings, version: version), "\(rings)")
            #expect(found.count == Set(found.map(\.rule)).count)
            for finding in found { told[finding.rule, default: 0] += 1 }
        }
        #expect(told.count == 6 && told.values.allSatisfy { $0 > 20 }, "\(told)")
    }

    private static func features(
        _ points: [TilePoint], in part: TilePart, extent: Double, margin: Double
    ) -> [Tile.Feature] {
        let reach = (extent * min(max(margin, 0), 1)).rounded(.up)
        let scale = Double(1 << Int(part.depth))
        return points.enumerated().compactMap { number, point in
            let x = Double(point.x) * scale - Double(part.column) * extent
            let y = Double(point.y) * scale - Double(part.row) * extent
            guard (-reach..<extent + reach).contains(x), (-reach..<extent + reach).contains(y)
            else { return nil }
            return Tile.Feature(
                id: number % 4 == 0 ? nil : UInt64(number),
                .points([TilePoint(x: Int32(x), y: Int32(y))]),
                tags: [Tile.Tag("n", .int(Int64(number)))])
        }
    }

    @Test func `a part has the points that plain arithmetic puts there`() throws {
        var random = SeededRandom(seed: 2)
        for round in 0..<60 {
            let extent: UInt32 = [256, 4_096, 1 << 20][round % 3]
            var builder = TileBuilder()
            let key = builder.key("n")
            builder.beginLayer("l", extent: extent)
            let points = (0..<40).map { _ in
                TilePoint(
                    x: .random(in: -64...Int32(extent) + 64, using: &random),
                    y: .random(in: -64...Int32(extent) + 64, using: &random))
            }
            for (number, point) in points.enumerated() {
                builder.beginPoint(
                    id: number % 4 == 0 ? nil : UInt64(number), x: point.x, y: point.y)
                builder.addTag(key, .int(Int64(number)))
                builder.endFeature()
            }
            builder.endLayer()
            let bytes = builder.copyBytes()
            let depth = UInt8(random.next() % 4)
            let column = UInt32(random.next() % (1 << UInt64(depth)))
            let row = UInt32(random.next() % (1 << UInt64(depth)))
            let margin = [0, 0.01, 0.5, 1, 7, -1][Int(random.next() % 6)]
            let part = TilePart(depth: depth, column: column, row: row)
            var cut = TileBuilder()
            var reader = try TileReader(bytes.span)
            while let layer = try reader.nextLayer() {
                try cut.append(pointsOf: layer, in: part, margin: margin)
            }
            let wanted = Self.features(points, in: part, extent: Double(extent), margin: margin)
            let read = try Tile(inPlace: cut.copyBytes().span)
            #expect(read.layers.first?.features ?? [] == wanted)
            #expect(read.layers.count == (wanted.isEmpty ? 0 : 1))
            #expect(
                read.layers.allSatisfy { $0.name == "l" && $0.extent == extent && $0.version == 2 })
        }
    }

    @Test func `pieces of an arena are apart, aligned, and within its ceiling`() throws {
        var random = SeededRandom(seed: 3)
        for ceiling in [0, 100, 4_096, 100_000, 3 << 20] {
            let arena = MessageArena(ceiling: ceiling)
            var pieces: [(start: Int, count: Int)] = []
            for _ in 0..<200 {
                let count = Int(random.next() % 300) << Int(random.next() % 8)
                guard let piece = arena.allocate(count) else { continue }
                memset(piece, 7, count)
                pieces.append((Int(bitPattern: piece), count))
            }
            pieces.sort { $0.start < $1.start }
            for (piece, next) in zip(pieces, pieces.dropFirst()) {
                #expect(piece.start + piece.count <= next.start)
            }
            #expect(pieces.allSatisfy { $0.start % 16 == 0 })
            let total = pieces.reduce(0) { $0 + $1.count }
            #expect(total <= ceiling && (ceiling < 100_000 || total > ceiling / 4))
        }
        #expect(MessageArena(ceiling: 1 << 20).allocate(-1) == nil)
    }

    @Test func `what a reader takes is what its documentation says`() {
        let limits = TileLimits()
        #expect(limits.bytes == 64 << 20 && limits.layers == 10_000 && limits.memory == 1 << 30)
        #expect(
            limits.features == 1_000_000 && limits.keys == 1_000_000 && limits.values == 1_000_000)
        #expect(limits.geometryIntegers == 16_000_000 && TileValidator.mostFindings == 10_000)
        let location = TileLocation(offset: 7, layer: 2, feature: 3)
        #expect(
            "\(location)" == "byte 7, layer 2, feature 3"
                && "\(TileLocation(offset: 1))" == "byte 1")
        let error = TileError.tooLarge(.keys, limit: 9, location)
        #expect(
            "\(error)"
                == "the tile has more than 9 keys (byte 7, layer 2, feature 3); raise the limit to read it"
        )
        #expect(!error.isRecoverable && error.location == location)
        for rule in TileRule.allCases {
            #expect(TileError.broken(rule, location).isRecoverable == (rule.severity != .fatal))
        }
    }
}
