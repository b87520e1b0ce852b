// Lines, areas and collections of GeoJSON, which are read again for the point that represents them.

extension GeometryShape {
    private static let depthLimit = 32

    /// Replaces a line or an area by the point that represents it.
    mutating func takePoint(_ rule: PointsFrom, in bytes: ByteCursor) {
        guard case .other(let name) = kind, Kind.isGeometry(bytes, name) else { return }
        var outline = Outline()
        guard addOutline(in: bytes, to: &outline, depth: 0) else { return kind = .unsound(name) }
        become(outline.positions(rule))
    }

    /// Adds the geometry to an outline; false if its coordinates are of another kind.
    private func addOutline(
        in bytes: ByteCursor, to outline: inout Outline, depth: Int
    ) -> Bool {
        guard case .other(let name) = kind else {
            guard fault(in: bytes) == nil else { return false }
            for index in stride(from: 0, to: positions.count, by: 2) {
                outline.begin(.point)
                outline.add(positions[index], positions[index + 1])
            }
            return true
        }
        var cursor = bytes
        cursor.move(to: membersStart ?? coordinatesStart)
        switch String(copying: bytes.span(name)) {
        case "LineString": return outline.read(&cursor, levels: 1, as: .line)
        case "MultiLineString": return outline.read(&cursor, levels: 2, as: .line)
        case "Polygon": return outline.read(&cursor, levels: 2, as: .ring)
        case "MultiPolygon": return outline.read(&cursor, levels: 3, as: .ring)
        case "GeometryCollection" where membersStart != nil && depth < Self.depthLimit:
            return Self.addMembers(&cursor, to: &outline, depth: depth + 1)
        default: return false
        }
    }

    private static func addMembers(
        _ bytes: inout ByteCursor, to outline: inout Outline, depth: Int
    ) -> Bool {
        guard bytes.skip("[") else { return false }
        if bytes.skip("]") { return true }
        repeat {
            bytes.skipSpace()
            var shape = GeometryShape()
            guard (try? shape.parseGeometry(&bytes)) != nil,
                shape.addOutline(in: bytes, to: &outline, depth: depth)
            else { return false }
        } while bytes.skip(",")
        return bytes.skip("]")
    }
}

extension Outline {
    /// Reads arrays of positions with this depth of nesting; false if they are different.
    fileprivate mutating func read(
        _ bytes: inout ByteCursor, levels: Int, as kind: Kind
    ) -> Bool {
        bytes.skipSpace()
        if levels == 1 { begin(kind) }
        guard bytes.skip("[") else { return false }
        if bytes.skip("]") { return true }
        var next = kind
        repeat {
            guard levels > 1 ? read(&bytes, levels: levels - 1, as: next) : readPosition(&bytes)
            else { return false }
            // The holes of a polygon follow its ring.
            if levels == 2, kind == .ring { next = .hole }
        } while bytes.skip(",")
        return bytes.skip("]")
    }

    /// Reads a position; heights and measures are ignored.
    private mutating func readPosition(_ bytes: inout ByteCursor) -> Bool {
        bytes.skipSpace()
        guard bytes.skip("["), case () = bytes.skipSpace(), let x = bytes.number(),
            bytes.skip(","), case () = bytes.skipSpace(), let y = bytes.number()
        else { return false }
        add(bytes.double(of: x), bytes.double(of: y))
        while bytes.skip(",") {
            guard (try? bytes.skipValue()) != nil else { return false }
        }
        return bytes.skip("]")
    }
}
