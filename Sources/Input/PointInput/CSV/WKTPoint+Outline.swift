// Lines, areas and collections in well-known text, which are read for the point that represents them.

extension WKTPoint {
    private static let depthLimit = 32

    /// Reads what follows the name of a geometry.
    static func readOutline(
        _ kind: String, _ text: inout ByteCursor, into outline: inout Outline, depth: Int = 0
    ) throws(Fault) {
        var next = word(&text)
        if ["Z", "M", "ZM"].contains(next) { next = word(&text) }
        if next == "EMPTY" { return }
        guard next.isEmpty else { throw .malformed }
        switch kind {
        case "POINT": try read(&text, into: &outline, levels: 1, as: .point)
        case "LINESTRING": try read(&text, into: &outline, levels: 1, as: .line)
        case "MULTILINESTRING": try read(&text, into: &outline, levels: 2, as: .line)
        case "POLYGON": try read(&text, into: &outline, levels: 2, as: .ring)
        case "MULTIPOLYGON": try read(&text, into: &outline, levels: 3, as: .ring)
        case "MULTIPOINT":
            // Positions may have their own parentheses.
            try readList(&text) { text, _ throws(Fault) in
                let isNested = text.skip("(")
                outline.begin(.point)
                try readPosition(&text, into: &outline)
                if isNested, !text.skip(")") { throw .malformed }
            }
        case "GEOMETRYCOLLECTION":
            guard depth < depthLimit else { throw .malformed }
            try readList(&text) { text, _ throws(Fault) in
                try readOutline(Self.kind(word(&text)), &text, into: &outline, depth: depth + 1)
            }
        default: throw otherKinds.contains(kind) ? .notAPoint(kind) : .malformed
        }
    }

    /// Reads lists of positions with this depth of nesting.
    private static func read(
        _ text: inout ByteCursor, into outline: inout Outline, levels: Int, as kind: Outline.Kind
    ) throws(Fault) {
        if levels == 1 { outline.begin(kind) }
        try readList(&text) { text, index throws(Fault) in
            guard levels > 1 else { return try readPosition(&text, into: &outline) }
            // The holes of a polygon follow its ring.
            let isHole = levels == 2 && kind == .ring && index > 0
            try read(&text, into: &outline, levels: levels - 1, as: isHole ? .hole : kind)
        }
    }

    private static func readList(
        _ text: inout ByteCursor,
        _ element: (_ text: inout ByteCursor, _ index: Int) throws(Fault) -> Void
    ) throws(Fault) {
        text.skipSpace()
        guard text.skip("(") else {
            guard word(&text) == "EMPTY" else { throw .malformed }
            return
        }
        var index = 0
        repeat {
            text.skipSpace()
            try element(&text, index)
            index += 1
        } while text.skip(",")
        guard text.skip(")") else { throw .malformed }
    }

    private static func readPosition(
        _ text: inout ByteCursor, into outline: inout Outline
    ) throws(Fault) {
        var numbers: [Double] = []
        try position(&text, into: &numbers)
        outline.add(numbers[0], numbers[1])
    }
}
