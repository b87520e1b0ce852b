import Arguments
import Geometry

/// `LON,LAT` on the command line.
struct PositionArgument: ArgumentValue {
    let position: LonLat

    init(argument: String) throws(ValueError) {
        let numbers = argument.numbers
        guard numbers.count == 2, abs(numbers[0]) <= 180, abs(numbers[1]) <= 90 else {
            throw ValueError(expected: "longitude and latitude, such as 7.44,46.95")
        }
        position = LonLat(longitude: numbers[0], latitude: numbers[1])
    }
}

/// `WEST,SOUTH,EAST,NORTH` on the command line.
struct BoxArgument: ArgumentValue {
    let box: LonLatBox

    init(argument: String) throws(ValueError) {
        do { box = try LonLatBox(argument) } catch { throw ValueError(expected: error.expected) }
    }
}

/// A zoom, or a range of zooms such as `3-7`, on the command line.
struct ZoomArgument: ArgumentValue {
    let zooms: ClosedRange<Int>

    init(argument: String) throws(ValueError) {
        let ends = argument.split(separator: "-", omittingEmptySubsequences: false)
            .compactMap { Int($0) }
        let parts = argument.split(separator: "-", omittingEmptySubsequences: false).count
        guard ends.count == parts, (1...2).contains(parts), ends[0] <= ends[parts - 1],
            (0...31).contains(ends[0]), ends[parts - 1] <= 31
        else { throw ValueError(expected: "a zoom from 0 to 31, or a range such as 3-7") }
        zooms = ends[0]...ends[parts - 1]
    }
}

/// `Z/X/Y` on the command line.
struct TileArgument: ArgumentValue {
    let tile: TileID

    init(argument: String) throws(ValueError) {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Int($0) }
        guard parts.count == 3, numbers.count == 3,
            let tile = TileID(zoom: numbers[0], column: numbers[1], row: numbers[2])
        else { throw ValueError(expected: "a tile that exists, as zoom/column/row: 3/4/2") }
        self.tile = tile
    }
}

extension String {
    /// The numbers between commas; none if any part is not a finite number.
    fileprivate var numbers: [Double] {
        let parts = split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }.filter(\.isFinite)
        return numbers.count == parts.count ? numbers : []
    }
}
