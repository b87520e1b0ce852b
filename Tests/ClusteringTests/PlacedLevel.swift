import Geometry
import ParallelColumns
import TestSupport

@testable import Clustering

/// Positions as tests look for neighbours among them, and the level that holds them.
struct PlacedLevel {
    /// How positions lie.
    enum Shape: CaseIterable {
        case anywhere, lattice, meridian, parallel, oneSite, acrossTheEdge, poles
    }

    let level: Level
    /// It holds the level's memory.
    let arena = Arena()

    init(_ positions: [WorldPoint], ranks: [Int], bands: Bands) {
        let loose = Level(
            count: positions.count, bands: bands, weighted: false, countsSites: false, in: arena)
        for (index, position) in positions.enumerated() {
            loose.set(
                index, to: .site(index), x: position.x, y: position.y, rank: UInt32(ranks[index]),
                points: 1)
        }
        level = loose.sorted(by: bands, into: arena, workers: Workers(1, scratch: Arena()))
    }

    /// Positions of a shape in random ranks. The radius should be a power of two, so that on a lattice it
    /// is met to the last bit.
    init(_ shape: Shape, count: Int, bands: Bands, using random: inout SeededRandom) {
        let positions = (0..<count).map { _ in
            Self.position(shape, bands.radius, using: &random)
        }
        let ranks = Array(0..<count).shuffled(using: &random)
        self.init(positions, ranks: ranks, bands: bands)
    }

    private static func position(
        _ shape: Shape, _ radius: Double, using random: inout SeededRandom
    ) -> WorldPoint {
        func near(_ middle: Double, _ width: Double) -> Double {
            middle + (random.unit() - 0.5) * width
        }
        let step = radius / 2
        func onLattice() -> Double { 0.5 + step * Double(Int.random(in: -4...4, using: &random)) }
        let width = 8 * radius
        let position =
            switch shape {
            case .anywhere: WorldPoint(x: near(0.4, width), y: near(0.6, width))
            case .lattice: WorldPoint(x: onLattice(), y: onLattice())
            case .meridian: WorldPoint(x: 0.25, y: near(0.5, width))
            case .parallel: WorldPoint(x: near(0.5, width), y: 0.75)
            case .oneSite: WorldPoint(x: 0.125, y: 0.375)
            case .acrossTheEdge: WorldPoint(x: near(0, 3 * radius), y: near(0.5, 3 * radius))
            case .poles: WorldPoint(x: near(1, width), y: random.next() % 2 == 0 ? 0 : 1)
            }
        let x = position.x - position.x.rounded(.down)
        return WorldPoint(x: x, y: min(max(position.y, 0), 1))
    }

    func position(_ index: Int) -> WorldPoint { WorldPoint(x: level.x[index], y: level.y[index]) }

    /// The square of the distance of two nodes.
    func square(_ a: Int, _ b: Int, wraps: Bool) -> Double {
        var dx = abs(level.x[b] - level.x[a])
        if wraps, dx > 0.5 { dx = 1 - dx }
        let dy = level.y[b] - level.y[a]
        return dx * dx + dy * dy
    }

    /// All others within the radius of a node.
    func near(_ index: Int, wraps: Bool) -> [Int] {
        (0..<level.count).filter {
            $0 != index && square(index, $0, wraps: wraps) <= level.bands.squaredRadius
        }
    }
}
