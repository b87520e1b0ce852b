extension CSVParser {
    /// A cell with well-known text or a GeoJSON geometry.
    mutating func readGeometry() {
        var block = ByteBlock(capacity: cell.range.count)
        block.assign(cell.text(bytes))
        var text = block.cursor()
        text.skipSpace()
        if text.isAtEnd { return }
        if text.byte == UInt8(ascii: "{") {
            readGeoJSON(&text)
        } else {
            do throws(WKTPoint.Fault) {
                coordinates.positions = try WKTPoint.positions(&text)
            } catch {
                coordinates.fault = error.problem(Snippet.of(text.span(0..<text.end)))
            }
        }
    }

    private mutating func readGeoJSON(_ text: inout ByteCursor) {
        var shape = GeometryShape()
        do throws(JSONFault) {
            try shape.parseGeometry(&text)
            coordinates.fault = shape.fault(in: text)
            coordinates.positions = shape.positions
        } catch {
            coordinates.fault = error.problem(text)
        }
    }
}
