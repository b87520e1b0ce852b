import Geometry
import TestSupport
import Testing

@testable import Tileset

/// Squares that the world is cut into.
struct CellDivisionTests {
    private static let world = TileID(z: 0, x: 0, y: 0)

    private static func alongCurve(_ squares: [TileID]) -> [TileID] {
        squares.sorted { $0.curveDistance < $1.curveDistance }
    }

    /// Squares that are halved at random, along the curve.
    private static func squares(_ random: inout SeededRandom) -> [TileID] {
        var squares = [world]
        for _ in 0..<Int(random.next() % 12) {
            let square = squares.remove(at: Int(random.next() % UInt64(squares.count)))
            squares += square.children
        }
        return alongCurve(squares)
    }

    @Test func `the world is whole where each place is in one square`() {
        var random = SeededRandom(seed: 4)
        #expect(CellDivision.isWhole([Self.world]) && !CellDivision.isWhole([]))
        for _ in 0..<40 {
            let squares = Self.squares(&random)
            #expect(CellDivision.isWhole(squares))
            #expect(!CellDivision.isWhole(Array(squares.dropLast())))
            #expect(!CellDivision.isWhole(squares + [squares[0]]))
            #expect(!CellDivision.isWhole(squares + [squares[0].children[2]]))
            #expect(CellDivision.isWhole(squares.reversed()) == (squares.count == 1))
            // As much ground, some of it twice.
            let others = squares.filter { $0.z > 0 }
            guard others.count > 1 else { continue }
            let twice = Self.alongCurve(
                squares.filter { $0 != others[0] } + others[1].children)
            if others[0].z == others[1].z { #expect(!CellDivision.isWhole(twice)) }
        }
        var deep = [Self.world]
        for zoom in 1...12 {
            let square = deep.removeLast()
            deep += square.children
            #expect(CellDivision.isWhole(Self.alongCurve(deep)) == (zoom <= 11))
        }
    }

    @Test func `squares know who reaches into them, whichever way round the world`() {
        var random = SeededRandom(seed: 5)
        for _ in 0..<30 {
            let squares = Self.squares(&random)
            let division = CellDivision(squares, counts: squares.map { _ in 1 })
            let boxes = squares.map { _ in
                guard random.next() % 4 > 0 else { return WorldBox.empty }
                let (x, y) = (random.unit() * 1.4 - 0.2, random.unit())
                let size = [0.01, 0.2, 1.1][Int(random.next() % 3)]
                return WorldBox(
                    minX: x, minY: y, maxX: x + size * random.unit(),
                    maxY: y + 0.3 * random.unit())
            }
            let expected = squares.indices.map { cell in
                squares.indices.filter { other in
                    other != cell && !boxes[other].isEmpty
                        && Self.touches(boxes[other], squares[cell])
                }
            }
            #expect(division.neighbours(reaching: boxes) == expected)
        }
    }

    private static func touches(_ box: WorldBox, _ square: TileID) -> Bool {
        let (origin, width) = (square.origin, square.width)
        guard box.maxY >= origin.y, box.minY <= origin.y + width else { return false }
        if box.maxX - box.minX >= 1 { return true }
        return (-2...2).contains { turn in
            box.maxX + Double(turn) >= origin.x && box.minX + Double(turn) <= origin.x + width
        }
    }

    @Test func `children lie row by row, and names say where`() {
        let square = TileID(z: 3, x: 5, y: 2)
        #expect(square.children.map(\.cellName) == ["4-10-4", "4-11-4", "4-10-5", "4-11-5"])
        #expect(square.cellName == "3-5-2")
        let distances = square.children.map(\.curveDistance).sorted()
        let step = (distances[3] - distances[0]) / 3
        #expect(zip(distances, distances.dropFirst()).allSatisfy { $1 - $0 == step })
        #expect(square.curveDistance == distances[0])
    }
}
