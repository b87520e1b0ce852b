import Clustering
import Geometry
import Points
import TestSupport
import Testing

@testable import Tileset

/// Points of one place that are drawn apart, against what the page says of rings, spirals and zooms.
struct SpreadModelTests {
    private static func length(_ offset: (x: Double, y: Double)) -> Double {
        (offset.x * offset.x + offset.y * offset.y).squareRoot()
    }

    @Test(arguments: [1, 2, 3, 6, 7, 12], [5.0, 20, 100])
    func `up to twelve stand on a ring, evenly, the first to the north`(count: Int, apart: Double) {
        let offsets = SpreadPoints.offsets(count, apart: apart)
        let radius = max(apart, Double(count) * apart / (2 * Double.pi))
        #expect(offsets.count == count)
        #expect(abs(offsets[0].x) < 1e-9 && abs(offsets[0].y + radius) < 1e-9)
        #expect(offsets.allSatisfy { abs(Self.length($0) - radius) < 1e-9 })
        let step = 2 * radius * Self.sine(.pi / Double(count))
        for (number, offset) in offsets.enumerated() where count > 1 {
            let next = offsets[(number + 1) % count]
            #expect(abs(Self.length((next.x - offset.x, next.y - offset.y)) - step) < 1e-9)
        }
        // Clockwise, as y grows to the south.
        if count > 2 { #expect(offsets[1].x > 0) }
    }

    private static func sine(_ angle: Double) -> Double {
        var (term, sum) = (angle, angle)
        for index in 1..<30 {
            let factors = 2 * index * (2 * index + 1)
            term *= -angle * angle / Double(factors)
            sum += term
        }
        return sum
    }

    @Test(arguments: [13, 14, 50, 200, 1_000], [5.0, 20, 100])
    func `more stand on a spiral, as far apart as there is room, 200 pixels off at most`(
        count: Int, apart: Double
    ) {
        let offsets = SpreadPoints.offsets(count, apart: apart)
        let room = (Double.pi * (200 - apart) * (200 - apart) / Double(count)).squareRoot()
        let gap = min(apart, room)
        #expect(offsets.count == count)
        let lengths = offsets.map(Self.length)
        #expect(abs(lengths[0] - gap) < 1e-9 && lengths == lengths.sorted())
        #expect(lengths.allSatisfy { $0 <= 200 + 1e-9 })
        var nearest = Double.infinity
        for (number, offset) in offsets.prefix(200).enumerated() {
            for other in offsets[..<number] {
                nearest = min(nearest, Self.length((offset.x - other.x, offset.y - other.y)))
            }
        }
        #expect(nearest > 0.8 * gap && nearest < 1.01 * gap, "\(nearest) \(gap)")
    }

    @Test(arguments: UInt64(0)..<4)
    func `each leaf knows how many share its place, and how many of them come before it`(
        seed: UInt64
    ) throws {
        var random = SeededRandom(seed: seed + 850)
        var table = PointTable()
        var batch = PointBatch()
        for _ in 0..<60 {
            let place = Double(random.next() % 25) / 25
            batch.append(WorldPoint(x: place, y: 0.5), weight: 1, id: PointTable.noID)
        }
        table.append(batch)
        let tree = try ClusterTree(of: table, options: ClusterOptions(radius: 40, maxZoom: 4))
        let shares = CoincidentLeaves(of: tree, in: table)
        #expect(shares.count == 60 && !shares.isEmpty)
        func place(_ leaf: Int) -> WorldPoint { table.position(of: Int(tree.leafRows[leaf])) }
        for leaf in 0..<60 {
            let same = (0..<60).filter { place($0) == place(leaf) }
            #expect(Int(shares.counts[leaf]) == same.count)
            #expect(Int(shares.ordinals[leaf]) == same.filter { $0 < leaf }.count)
        }
        var some = CoincidentLeaves()
        some.append(single: 2)
        some.append(7, of: shares)
        some.append(0, of: CoincidentLeaves())
        some.append(shares)
        #expect(some.count == 63 && some.counts[2] == shares.counts[7])
        #expect((0..<2).allSatisfy { some.counts[$0] == 1 && some.ordinals[$0] == 0 })
        #expect((0..<60).allSatisfy { some.ordinals[3 + $0] == shares.ordinals[$0] })
    }

    @Test(arguments: UInt64(0)..<6)
    func `legs begin at the first zoom that tells their ends apart, and go as far as the farthest`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed + 860)
        for _ in 0..<60 {
            let deep = UInt8.random(in: 6...14, using: &random)
            let rule = SpreadPoints.Rule(
                pixels: [4.0, 20, 100].randomElement(using: &random)!, zoom: deep, buffer: 8,
                grids: (0...deep).map { TileGrid(zoom: $0, extentBits: 8, bufferPixels: 8) })
            var (shares, parents, places) = (CoincidentLeaves(), [Int](), [WorldPoint]())
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let count = [1, 2, 5, 30].randomElement(using: &random)!
                let parent = Int.random(in: 0...Int(deep), using: &random)
                let place = WorldPoint(x: random.unit(), y: 0.2 + 0.6 * random.unit())
                for _ in 0..<count { (parents, places) = (parents + [parent], places + [place]) }
                shares.append(
                    CoincidentLeaves(
                        ordinals: Column(0..<UInt32(count)),
                        counts: Column(repeating: UInt32(count), count: count)))
            }
            let found = SpreadExtent(
                of: shares, rule, parentZoom: { parents[$0] }, place: { places[$0] })
            #expect(found == Self.extent(shares, rule, parents, places))
        }
    }

    /// The extent by a look at every zoom and every point.
    private static func extent(
        _ shares: CoincidentLeaves, _ rule: SpreadPoints.Rule, _ parents: [Int],
        _ places: [WorldPoint]
    ) -> SpreadExtent? {
        var (zoom, metres, isThere) = (Int(rule.zoom), 0.0, false)
        for leaf in 0..<shares.count
        where shares.counts[leaf] > 1 && parents[leaf] < Int(rule.zoom) {
            isThere = true
            let place = places[leaf]
            let offset = SpreadPoints.offsets(Int(shares.counts[leaf]), apart: rule.pixels)[
                Int(shares.ordinals[leaf])]
            let drawn = place.moved(by: offset, 1 / (512 * Double(1 << Int(rule.zoom))))
            for grid in rule.grids where Int(grid.zoom) > parents[leaf] {
                func unit(_ place: WorldPoint) -> [Int64] {
                    [
                        grid.unitX(TileGrid.fixed(place.x)), grid.unitY(TileGrid.fixed(place.y)),
                    ]
                }
                if unit(place) != unit(drawn) { zoom = min(zoom, Int(grid.zoom)) }
            }
            metres = max(
                metres,
                DrawnPrecision.metres(
                    ofPart: length(offset) / (512 * Double(1 << Int(rule.zoom))),
                    at: place.lonLat.latitude))
        }
        return isThere ? SpreadExtent(firstZoom: zoom, metres: metres) : nil
    }

    @Test func `of two extents the first zoom and the farthest count`() {
        let (a, b) = (
            SpreadExtent(firstZoom: 5, metres: 7), SpreadExtent(firstZoom: 9, metres: 3)
        )
        let both = SpreadExtent(firstZoom: 5, metres: 7)
        let other = SpreadExtent(firstZoom: 4, metres: 3)
        #expect(SpreadExtent.union(a, b) == both && SpreadExtent.union(b, a) == both)
        #expect(SpreadExtent.union(a, other) == SpreadExtent(firstZoom: 4, metres: 7))
        #expect(SpreadExtent.union(a, nil) == a && SpreadExtent.union(nil, b) == b)
        #expect(SpreadExtent.union(nil, nil) == nil)
    }
}
