// Lines, areas and collections in well-known binary, which are read for the point that represents them.

extension BinaryGeometry {
    private static let depthLimit = 32

    /// Reads a geometry after its head into the outline.
    mutating func readOutline(
        of head: Head, _ cursor: inout GeometryCursor, depth: Int = 0
    ) throws(BinaryGeometryFault) {
        switch head.shape {
        case .point:
            outline.begin(.point)
            try readVertices(1, of: head, &cursor)
        case .lineString:
            outline.begin(.line)
            try readVertices(Int(cursor.readUInt32()), of: head, &cursor)
        case .polygon:
            // A ring takes four bytes at least.
            for ring in 0..<(try readCount(&cursor, leastSize: 4)) {
                outline.begin(ring == 0 ? .ring : .hole)
                try readVertices(Int(cursor.readUInt32()), of: head, &cursor)
            }
        case .multiPoint, .multiLineString, .multiPolygon, .collection:
            guard depth < Self.depthLimit else { throw .tooDeep(offset: cursor.offset) }
            // A geometry takes nine: byte order, type and a count.
            for _ in 0..<(try readCount(&cursor, leastSize: 9)) {
                try readOutline(of: readHead(&cursor), &cursor, depth: depth + 1)
            }
        }
    }

    /// Reads a count of elements with a minimum size; a count that exceeds the bytes is detected before any loop.
    func readCount(
        _ cursor: inout GeometryCursor, leastSize: Int
    ) throws(BinaryGeometryFault) -> Int {
        let count = try Int(cursor.readUInt32())
        guard count <= cursor.remaining / leastSize else {
            throw .truncated(offset: cursor.offset + cursor.remaining)
        }
        return count
    }

    private mutating func readVertices(
        _ count: Int, of head: Head, _ cursor: inout GeometryCursor
    ) throws(BinaryGeometryFault) {
        guard count <= cursor.remaining / (8 * head.dimensions) else {
            throw .truncated(offset: cursor.offset + cursor.remaining)
        }
        for _ in 0..<count {
            let (x, y) = (try cursor.readDouble(), try cursor.readDouble())
            try cursor.skip(8 * (head.dimensions - 2))
            outline.add(x, y)
        }
    }
}
