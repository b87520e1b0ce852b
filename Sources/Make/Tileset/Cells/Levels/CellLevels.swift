import ArchiveContract
import Geometry

/// All squares that a job clusters: its cells, and above them levels of larger squares, which take
/// the nodes that the level below hands up. The top takes those of the highest level. Squares are
/// numbered: cells first, then level by level, each along the Hilbert curve.
struct CellLevels: Sendable {
    struct Level: Sendable {
        let division: CellDivision
        /// The shallowest zoom that is clustered in its squares.
        let cutZoom: Int
        /// The numbers of its squares.
        let numbers: Range<Int>

        /// The numbers of its squares that a box touches.
        func squares(touching box: WorldBox) -> [Int] {
            division.cells(touching: box).map { numbers.lowerBound + $0 }.sorted()
        }
    }

    /// The levels, the lowest first, which is that of the cells.
    let levels: [Level]

    init(_ cells: CellDivision, cutZoom: Int, above: [JobPlan.Level]) {
        var levels = [Level(division: cells, cutZoom: cutZoom, numbers: 0..<cells.cells.count)]
        for level in above {
            let start = levels[levels.count - 1].numbers.upperBound
            let below = levels[levels.count - 1].division
            let counts = Self.sums(over: below.counts, of: below.cells, in: level.squares)
            levels.append(
                Level(
                    division: CellDivision(level.squares, counts: counts), cutZoom: level.cutZoom,
                    numbers: start..<start + level.squares.count))
        }
        self.levels = levels
    }

    /// For each square, the sum of the counts of smaller squares in it.
    private static func sums(
        over counts: [Int], of small: [TileID], in squares: [TileID]
    ) -> [Int] {
        let indexes = Dictionary(uniqueKeysWithValues: zip(squares, squares.indices))
        var sums = squares.map { _ in 0 }
        for (tile, count) in zip(small, counts) {
            var above: TileID? = tile
            while let square = above {
                if let index = indexes[square] {
                    sums[index] += count
                    break
                }
                above = square.parent
            }
        }
        return sums
    }

    var cells: Level { levels[0] }
    /// The levels above the cells.
    var above: ArraySlice<Level> { levels.dropFirst() }
    /// The level whose nodes the top takes.
    var highest: Level { levels[levels.count - 1] }
    /// The numbers of all squares.
    var numbers: Range<Int> { 0..<highest.numbers.upperBound }

    func index(of number: Int) -> Int {
        levels.indices.partitionPoint { levels[$0].numbers.upperBound > number }
    }

    func level(of number: Int) -> Level { levels[index(of: number)] }

    /// The level whose squares hand up nodes to a square.
    func below(_ number: Int) -> Level { levels[index(of: number) - 1] }

    func isCell(_ number: Int) -> Bool { cells.numbers.contains(number) }

    func square(_ number: Int) -> TileID {
        let level = level(of: number)
        return level.division.cells[number - level.numbers.lowerBound]
    }

    /// The number of points in a square.
    func points(in number: Int) -> Int {
        let level = level(of: number)
        return level.division.counts[number - level.numbers.lowerBound]
    }

    func name(of number: Int) -> String {
        let index = index(of: number)
        return (index == 0 ? "" : "above\(index)-") + square(number).cellName
    }
}

extension CellJob {
    /// The name of a square in the names of its files.
    func name(of number: Int) -> String { levels.name(of: number) }

    /// The most passes that a zoom is supposed to take at present in the squares of a level.
    func passLimit(ofLevel level: Int) -> Int {
        var limit = plan.passLimit
        while files.has(files.tooFew(limit, level: level)) { limit *= 2 }
        return limit
    }

    /// The most passes at present on the level of a square.
    func passLimit(of number: Int) -> Int { passLimit(ofLevel: levels.index(of: number)) }
}
