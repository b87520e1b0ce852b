extension TileGeometry {
    /// Appends the geometry as commands and parameters (MVT 4.3), each a varint.
    func append(to buffer: inout ByteBuffer) {
        var pen = Pen()
        switch self {
        case .points(let points): pen.draw(.moveTo, points, to: &buffer)
        case .lines(let lines):
            for line in lines { pen.drawPath(line, to: &buffer) }
        case .rings(let rings):
            for ring in rings {
                pen.drawPath(ring, to: &buffer)
                buffer.append(varint: UInt64(GeometryCommand(.closePath, count: 1).integer))
            }
        case .unknown(let integers):
            for integer in integers { buffer.append(varint: UInt64(integer)) }
        }
    }

    /// The integers of the packed geometry.
    package var integers: [UInt32] {
        var buffer = ByteBuffer()
        append(to: &buffer)
        var reader = WireReader(buffer.span)
        var integers: [UInt32] = []
        while !reader.isAtEnd, let integer = try? reader.varint() {
            integers.append(UInt32(truncatingIfNeeded: integer))
        }
        return integers
    }

    /// The cursor that parameters are relative to (MVT 4.3.2); it continues from path to path.
    private struct Pen {
        var x: Int32 = 0
        var y: Int32 = 0

        mutating func drawPath(_ path: [TilePoint], to buffer: inout ByteBuffer) {
            draw(.moveTo, path.prefix(1), to: &buffer)
            draw(.lineTo, path.dropFirst(), to: &buffer)
        }

        mutating func draw(
            _ id: GeometryCommand.ID, _ points: some RandomAccessCollection<TilePoint>,
            to buffer: inout ByteBuffer
        ) {
            guard !points.isEmpty else { return }
            buffer.append(varint: UInt64(GeometryCommand(id, count: points.count).integer))
            for point in points {
                // Wrapping makes every pair of positions writable; a reader's cursor wraps back.
                buffer.append(varint: UInt64(Wire.zigzag(point.x &- x)))
                buffer.append(varint: UInt64(Wire.zigzag(point.y &- y)))
                x = point.x
                y = point.y
            }
        }
    }
}
