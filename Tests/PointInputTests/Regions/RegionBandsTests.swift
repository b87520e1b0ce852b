import TestSupport
import Testing

@testable import PointInput

/// In which area a place is, against the same question asked of every area edge by edge.
struct RegionBandsTests {
    static func place(_ x: Int64, _ y: Int64) -> FixedPlace { FixedPlace(x: x, y: y) }

    /// Whether a place is inside by the books: edges are half-open, and on an edge is right of it.
    static func isInside(_ place: FixedPlace, _ rings: [[FixedPlace]]) -> Bool {
        var isInside = false
        for ring in rings {
            for (start, end) in zip(ring, ring.dropFirst() + ring.prefix(1)) {
                guard (start.y <= place.y) != (end.y <= place.y) else { continue }
                let (low, high) = start.y < end.y ? (start, end) : (end, start)
                let cross =
                    Int128(place.x - low.x) * Int128(high.y - low.y)
                    - Int128(place.y - low.y) * Int128(high.x - low.x)
                if cross < 0 { isInside.toggle() }
            }
        }
        return isInside
    }

    static func expected(_ place: FixedPlace, _ areas: [RegionBands.Area]) -> Int? {
        areas.first { isInside(place, $0.rings) }?.region
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `areas, overlapping and with holes, have the places that each has alone`(
        seed: UInt64
    ) {
        var random = SeededRandom(seed: seed)
        // Few units make places on edges and at corners common.
        let size: Int64 = [6, 40, 3_000_000_000].randomElement(using: &random)!
        func any() -> FixedPlace {
            Self.place(
                Int64.random(in: -size / 2...size / 2, using: &random),
                Int64.random(in: -size / 4...size / 4, using: &random))
        }
        let areas = (0..<12).map { number in
            RegionBands.Area(
                region: number / 2,
                rings: (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    (0..<Int.random(in: 1...9, using: &random)).map { _ in any() }
                })
        }
        let bands = RegionBands(areas)
        let corners = areas.flatMap(\.rings).joined()
        for place in (0..<300).map({ _ in any() }) + corners {
            #expect(bands.region(at: place) == Self.expected(place, areas), "\(place)")
        }
    }

    /// Corners of a lattice are moved about; every place within has one area, those on borders as well.
    @Test(arguments: 0..<20 as Range<UInt64>)
    func `areas that share borders have each place once`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (side, step) = (8, Int64(9))
        let corners = (0...side).map { row in
            (0...side).map { column in
                let isInner = row > 0 && column > 0 && row < side && column < side
                let shift = isInner ? Int64.random(in: -3...3, using: &random) : 0
                return Self.place(Int64(column) * step + shift, Int64(row) * step - shift)
            }
        }
        var areas: [RegionBands.Area] = []
        for row in 0..<side {
            for column in 0..<side {
                var ring = [
                    corners[row][column], corners[row][column + 1], corners[row + 1][column + 1],
                    corners[row + 1][column],
                ]
                if Bool.random(using: &random) { ring.reverse() }
                areas.append(RegionBands.Area(region: areas.count, rings: [ring]))
            }
        }
        let bands = RegionBands(areas)
        var reversed: [RegionBands.Area] = areas
        reversed.reverse()
        let backwards = RegionBands(reversed)
        let end = Int64(side) * step
        for y in 0..<end {
            for x in 0..<end {
                let found = bands.region(at: Self.place(x, y))
                #expect(found != nil && found == backwards.region(at: Self.place(x, y)))
            }
        }
        #expect(bands.region(at: Self.place(end, 0)) == nil)
        #expect(bands.region(at: Self.place(0, end)) == nil)
        #expect(bands.region(at: Self.place(0, -1)) == nil)
    }

    @Test(arguments: [-1, 1] as [Int64])
    func `an area over 180 degrees on one side has places of both`(side: Int64) {
        let corners: [(Int64, Int64)] = [
            (1_770, -200), (1_830, -200), (1_830, -160), (1_770, -160),
        ]
        let ring = corners.map { Self.place(side * $0 * 1_000_000, $1 * 1_000_000) }
        let bands = RegionBands([RegionBands.Area(region: 5, rings: [ring])])
        for (x, region) in [(1_790, 5), (1_760, nil), (-1_790, 5), (-1_760, nil), (0, nil)]
            as [(Int64, Int?)]
        {
            #expect(bands.region(at: Self.place(x * 1_000_000, -180_000_000)) == region)
        }
    }

    @Test func `areas beyond 180 degrees, and sides as long as there are`() {
        let wide: Int64 = 5_400_000_000
        let pole: Int64 = 900_000_000
        let fiji = RegionBands.Area(
            region: 0,
            rings: [
                [
                    Self.place(1_770_000_000, -200_000_000),
                    Self.place(1_830_000_000, -200_000_000),
                    Self.place(1_830_000_000, -160_000_000),
                    Self.place(1_770_000_000, -160_000_000),
                ]
            ])
        let all = RegionBands.Area(
            region: 1,
            rings: [[Self.place(-wide, -pole), Self.place(wide, -pole), Self.place(0, pole)]])
        let bands = RegionBands([fiji, all])
        #expect(bands.region(at: Self.place(-1_790_000_000, -180_000_000)) == 0)
        #expect(bands.region(at: Self.place(1_790_000_000, -180_000_000)) == 0)
        #expect(bands.region(at: Self.place(0, 0)) == 1)
        #expect(RegionBands([]).region(at: Self.place(0, 0)) == nil)
        let world = [-1, 1].flatMap { y in
            [-1, 1].map { Self.place($0 * y * FixedPlace.turn / 2, y * pole) }
        }
        let whole = RegionBands([RegionBands.Area(region: 7, rings: [world])])
        for x in [-FixedPlace.turn / 2, 0, FixedPlace.turn / 2] {
            for y in [-pole, 0, pole] { #expect(whole.region(at: Self.place(x, y)) == 7) }
        }
        // Level rings surround nothing.
        let flat = RegionBands.Area(region: 0, rings: [[Self.place(0, 5), Self.place(9, 5)]])
        #expect(RegionBands([flat]).region(at: Self.place(3, 5)) == nil)
    }
}
