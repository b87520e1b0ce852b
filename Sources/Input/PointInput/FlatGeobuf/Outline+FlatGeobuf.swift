extension Outline {
    private static let depthLimit = 32

    /// Reads the geometry of a feature.
    init(_ geometry: borrowing FlatTable, type: UInt8) throws(FlatGeobufFault) {
        self.init()
        var room = geometry.byteCount
        try add(geometry, type: type, depth: 0, room: &room)
    }

    /// A geometry's table has the fields 0 ends, 1 xy, 6 type and 7 parts. Ends are numbers of vertices.
    ///
    /// Tables and vectors may be shared, so that a few bytes can form an endless tree: `room` is
    /// the rest of the feature's bytes, each of which may be used once.
    private mutating func add(
        _ geometry: borrowing FlatTable, type: UInt8, depth: Int, room: inout Int
    ) throws(FlatGeobufFault) {
        switch type {
        case 1, 4: try addParts(of: geometry, as: .point, room: &room)
        case 2, 5: try addParts(of: geometry, as: .line, room: &room)
        case 3: try addParts(of: geometry, as: .ring, room: &room)
        case 6, 7:
            guard depth < Self.depthLimit else { throw .badOffset(at: 0) }
            for index in 0..<(try geometry.tableCount(7)) {
                try take(4, from: &room)
                let part = try geometry.table(7, at: index)
                // The parts of a MultiPolygon need not have the type polygon.
                let kind: UInt8 = try part.integer(6, default: 0)
                try add(part, type: type == 6 ? 3 : kind, depth: depth + 1, room: &room)
            }
        default: throw .notPoints(FlatGeobufFeature.name(ofType: type))
        }
    }

    private func take(_ count: Int, from room: inout Int) throws(FlatGeobufFault) {
        room -= count
        guard room >= 0 else { throw .tooManyVertices }
    }

    private mutating func addParts(
        of geometry: borrowing FlatTable, as kind: Kind, room: inout Int
    ) throws(FlatGeobufFault) {
        let xy = try geometry.vector(1, elementSize: 8)
        guard xy.count % 16 == 0 else { throw .badCoordinateCount(xy.count / 8) }
        let ends = try geometry.vector(0, elementSize: 4)
        try take(xy.count + ends.count, from: &room)
        let count = xy.count / 16
        var start = 0
        for index in 0..<max(ends.count / 4, 1) {
            let end =
                ends.isEmpty ? count : try Int(FlatTable.load(UInt32.self, ends, at: 4 * index))
            guard start <= end, end <= count else { throw .badOffset(at: end) }
            begin(kind == .ring && index > 0 ? .hole : kind)
            for vertex in start..<end {
                add(
                    try FlatTable.double(xy, at: 16 * vertex),
                    try FlatTable.double(xy, at: 16 * vertex + 8))
            }
            start = end
        }
    }
}
