import Geometry
import TestSupport
import Testing

@testable import Clustering

/// How far what is unknown reaches, against a look at all disks.
struct UnknownDiskTests {
    private struct Case {
        let box: WorldBox
        let margin: Double
        let ground: KnownGround
        var unknown: UnknownGround
        var disks: [(place: WorldPoint, born: Double)] = []
        var spread = 0.0
        var reach = 0.0

        init(using random: inout SeededRandom) {
            let (west, north) = (random.unit() * 0.8, 0.3 + random.unit() * 0.2)
            box = WorldBox(minX: west, minY: north, maxX: west + 0.2, maxY: north + 0.2)
            // Small disks, which are looked up by squares, few of them or many, and large ones.
            let (passes, most, margin) = [(2, 0.002, 0.15), (4, 0.03, 0.15), (1, 0.16, 0.39)]
                .randomElement(using: &random)!
            self.margin = margin
            ground = KnownGround(box, margin: margin, wraps: true)
            unknown = UnknownGround(beyond: ground)
            for _ in 0..<passes {
                reach = most * (0.1 + 0.9 * random.unit())
                let places = (0..<Int(random.next() % 12)).map { _ in
                    let x = box.minX - 0.1 + random.unit() * 0.4
                    let y = box.minY - 0.1 + random.unit() * 0.4
                    return WorldPoint(x: x - x.rounded(.down), y: y)
                }
                disks += places.map { ($0, spread) }
                unknown.spread(by: reach, around: places)
                spread += reach
            }
        }

        /// How far a place is from the nearest disk's edge.
        func gap(_ x: Double, _ y: Double) -> Double {
            disks.map { disk in
                let dx = abs(disk.place.x - x)
                let (along, across) = (min(dx, 1 - dx), disk.place.y - y)
                return (along * along + across * across).squareRoot() - (spread - disk.born)
            }.min() ?? .infinity
        }
    }

    @Test(arguments: UInt64(0)..<6)
    func `a place is reached where a disk comes that near, or what lies beyond`(seed: UInt64) {
        var random = SeededRandom(seed: seed + 830)
        var found = [false: 0, true: 0]
        for _ in 0..<25 {
            let drawn = Case(using: &random)
            #expect(drawn.unknown.spread == drawn.spread)
            for _ in 0..<60 {
                // Around a disk, or anywhere.
                let middle = drawn.disks.randomElement(using: &random)?.place
                var x = (middle?.x ?? 0.5) + (random.unit() - 0.5) * 6 * drawn.reach
                let y = (middle?.y ?? 0.5) + (random.unit() - 0.5) * 6 * drawn.reach
                x -= x.rounded(.down)
                let within = random.unit() * drawn.reach
                let depth = drawn.ground.depth(x, y) - drawn.spread
                let nearest = min(depth, drawn.gap(x, y))
                guard abs(nearest - within) > 1e-9 else { continue }
                let isReached = drawn.unknown.reaches(x, y, within: within)
                #expect(isReached == (nearest < within), "\(x) \(y) \(within) \(nearest)")
                // What is far is not reached.
                if drawn.unknown.isFar(x, y, from: within) { #expect(!isReached) }
                found[isReached, default: 0] += 1
            }
        }
        #expect(found.values.allSatisfy { $0 > 100 }, "\(found)")
    }

    @Test(arguments: UInt64(0)..<4)
    func `a box is clear where no disk and nothing beyond comes that near`(seed: UInt64) {
        var random = SeededRandom(seed: seed + 840)
        var found = [false: 0, true: 0]
        for _ in 0..<200 {
            let drawn = Case(using: &random)
            let distance = random.unit() * 0.01
            // The nearest place of the box to each disk, in the turn in which it is nearest.
            let gaps = drawn.disks.map { disk in
                [-1.0, 0, 1].map { (turn: Double) -> Double in
                    let x = disk.place.x + turn
                    let dx = x - min(max(x, drawn.box.minX), drawn.box.maxX)
                    let dy = disk.place.y - min(max(disk.place.y, drawn.box.minY), drawn.box.maxY)
                    return (dx * dx + dy * dy).squareRoot() - (drawn.spread - disk.born)
                }.min() ?? 0
            }
            let nearest = ([drawn.margin - drawn.spread] + gaps).min() ?? 0
            guard abs(nearest - distance) > 1e-9 else { continue }
            let isClear = drawn.unknown.clears(drawn.box, by: distance)
            #expect(isClear == (nearest > distance))
            found[isClear, default: 0] += 1
        }
        #expect(found.values.allSatisfy { $0 > 2 }, "\(found)")
    }
}
