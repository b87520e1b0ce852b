/// Walks over the commands of a geometry (MVT 4.3) and moves the cursor.
struct GeometryReader: ~Escapable {
    private var reader: WireReader
    private var x: Int32 = 0
    private var y: Int32 = 0

    @_lifetime(copy feature)
    init(_ feature: borrowing FeatureView) {
        reader = WireReader(
            feature.bytes, in: feature.geometryRange, layer: feature.layer,
            feature: feature.number)
    }

    var isAtEnd: Bool { reader.isAtEnd }
    var offset: Int { reader.offset }

    func error(_ rule: TileRule, at offset: Int? = nil) -> TileError {
        reader.error(rule, at: offset)
    }

    /// The most positions that the rest can hold: two bytes each.
    private var mostPositions: Int { (reader.end - reader.offset) / 2 }

    mutating func command() throws(TileError) -> GeometryCommand {
        let start = reader.offset
        guard let command = GeometryCommand(integer: try integer()) else {
            throw error(.unknownCommand, at: start)
        }
        return command
    }

    /// Reads a pair of parameters and returns the position that they lead to.
    mutating func move() throws(TileError) -> TilePoint {
        let start = reader.offset
        let dx = Wire.zigzag(try integer())
        let dy = Wire.zigzag(try integer())
        let (newX, overX) = x.addingReportingOverflow(dx)
        let (newY, overY) = y.addingReportingOverflow(dy)
        guard !overX, !overY else { throw error(.badParameter, at: start) }
        x = newX
        y = newY
        return TilePoint(x: x, y: y)
    }

    /// MVT 4.3.4.2: one MoveTo with a count of at least one.
    mutating func points() throws(TileError) -> [TilePoint] {
        let start = reader.offset
        let command = try command()
        guard command.id == .moveTo else { throw error(.misplacedCommand, at: start) }
        guard command.count > 0 else { throw error(.badCommandCount, at: start) }
        let points = try positions(command.count)
        guard isAtEnd else { throw error(.misplacedCommand) }
        return points
    }

    /// MVT 4.3.4.3 and 4.3.4.4: lines, or rings that end with a ClosePath.
    mutating func paths(closed: Bool) throws(TileError) -> [[TilePoint]] {
        var paths: [[TilePoint]] = []
        while !isAtEnd {
            try expect(.moveTo, counts: 1...1)
            let first = try move()
            let count = try expect(.lineTo, counts: (closed ? 2 : 1)...UInt32.max)
            paths.append([first] + (try positions(count)))
            if closed { try expect(.closePath, counts: 1...1) }
        }
        return paths
    }

    mutating func integers() throws(TileError) -> [UInt32] {
        var integers: [UInt32] = []
        while !isAtEnd {
            integers.append(try integer())
        }
        return integers
    }

    @discardableResult
    private mutating func expect(
        _ id: GeometryCommand.ID, counts: ClosedRange<UInt32>
    ) throws(TileError) -> UInt32 {
        let start = reader.offset
        let command = try command()
        guard command.id == id else { throw error(.misplacedCommand, at: start) }
        guard counts.contains(command.count) else { throw error(.badCommandCount, at: start) }
        return command.count
    }

    private mutating func positions(_ count: UInt32) throws(TileError) -> [TilePoint] {
        guard Int(count) <= mostPositions else { throw error(.truncatedGeometry) }
        var points: [TilePoint] = []
        points.reserveCapacity(Int(count))
        for _ in 0..<count { points.append(try move()) }
        return points
    }

    mutating func integer() throws(TileError) -> UInt32 {
        let start = reader.offset
        guard !isAtEnd else { throw error(.truncatedGeometry) }
        guard let integer = UInt32(exactly: try reader.varint()) else {
            throw error(.badParameter, at: start)
        }
        return integer
    }
}
