import TestSupport
import Testing

@testable import Clustering

/// What a tree of positions finds, and in which order, against Supercluster's own and a look at all.
struct KDTreeTests {
    enum Shape: CaseIterable { case anywhere, lattice, line, oneSite, ascending, descending }

    private static func positions(
        _ shape: Shape, _ count: Int, using random: inout SeededRandom
    ) -> [SIMD2<Double>] {
        (0..<count).map { index in
            let along = Double(index) / Double(count)
            return switch shape {
            case .anywhere: SIMD2(random.unit(), random.unit())
            case .lattice: SIMD2(Double(random.next() % 16) / 16, Double(random.next() % 8) / 16)
            case .line: SIMD2(0.5, random.unit())
            case .oneSite: SIMD2(0.25, 0.25)
            case .ascending: SIMD2(along, along)
            case .descending: SIMD2(1 - along, along)
            }
        }
    }

    @Test(arguments: Shape.allCases, [0, 1, 64, 65, 66, 67, 130, 600, 601, 602, 603, 1_500])
    func `what lies within a radius comes in Supercluster's order`(shape: Shape, count: Int) {
        var random = SeededRandom(seed: UInt64(count) + 620)
        let positions = Self.positions(shape, count, using: &random)
        let tree = KDTree(positions)
        let plain = PlainKDTree(positions)
        let centers = (positions.shuffled(using: &random).prefix(3)) + [SIMD2(0, 0), SIMD2(0.5, 2)]
        for center in centers {
            for radius in [0, 0x1p-4, 0.15, 0.5, 3] {
                var found: [Int] = []
                tree.visit(around: center, radius: radius) { found.append($0) }
                #expect(found == plain.within(center.x, center.y, radius))
                let all = positions.indices.filter { index in
                    let gap = positions[index] - center
                    return gap.x * gap.x + gap.y * gap.y <= radius * radius
                }
                #expect(found.sorted() == all)
            }
        }
    }
}
