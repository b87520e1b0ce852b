import Basics

extension CSVParser {
    /// Reads a cell with well-known text, a GeoJSON geometry, or well-known binary in hexadecimal digits.
    mutating func readGeometry() {
        var block = ByteBlock(capacity: cell.range.count)
        block.assign(cell.text(bytes))
        var text = block.cursor()
        text.skipSpace()
        if text.isAtEnd { return }
        builder.use(declared: nil)
        if text.byte == UInt8(ascii: "{") {
            readGeoJSON(&text)
        } else if text.byte == UInt8(ascii: "0") {
            readBinary(text)
        } else {
            do throws(WKTPoint.Fault) {
                let found = try WKTPoint.positions(
                    &text, pointsFrom: builder.options.pointsFrom)
                coordinates.positions = found.positions
                use(found.system)
            } catch {
                coordinates.fault = error.problem(Snippet.of(text.span(0..<text.end)))
            }
        }
    }

    /// Reads a cell with a latitude and a longitude, or with a geometry.
    mutating func readLatitudeFirst() {
        let text = String(decoding: cell.text(bytes), as: UTF8.self)
        guard let (x, y) = CoordinateText.latitudeFirst(text) else { return readGeometry() }
        builder.use(declared: nil)
        coordinates.positions = [x, y]
    }

    /// Reads a cell with a geohash, which represents the middle of its square.
    mutating func readGeohash() {
        let text = String(decoding: cell.text(bytes), as: UTF8.self).trimmingSpaces
        guard !text.isEmpty else { return }
        guard let (x, y) = CoordinateText.geohash(text) else {
            coordinates.fault = (.badCoordinates, "has \(Snippet.of(text)), which is no geohash")
            return
        }
        coordinates.positions = [x, y]
    }

    private mutating func readGeoJSON(_ text: inout ByteCursor) {
        var shape = GeometryShape()
        do throws(JSONFault) {
            try shape.parseGeometry(&text)
            if let rule = builder.options.pointsFrom { shape.takePoint(rule, in: text) }
            coordinates.fault = shape.fault(in: text)
            coordinates.positions = shape.positions
        } catch {
            coordinates.fault = error.problem(text)
        }
    }

    /// Reads WKB or EWKB as PostGIS prints it: `0101000020E6100000…`.
    private mutating func readBinary(_ text: ByteCursor) {
        let digits = text.span(text.offset..<text.end)
        var wkb: [UInt8] = []
        for index in stride(from: 0, to: digits.count - 1, by: 2) {
            guard let high = digits[index].hexDigit, let low = digits[index + 1].hexDigit
            else {
                coordinates.fault = WKTPoint.Fault.malformed.problem(Snippet.of(digits))
                return
            }
            wkb.append(high << 4 | low)
        }
        var geometry = BinaryGeometry()
        do throws(BinaryGeometryFault) {
            try geometry.read(wkb.span, pointsFrom: builder.options.pointsFrom)
            coordinates.positions = geometry.positions
            use(geometry.referenceSystem ?? 0)
        } catch {
            coordinates.fault = error.problem
        }
    }

    /// Uses the reference system of a row's geometry for its coordinates; 0 means none.
    private mutating func use(_ number: Int32) {
        guard number > 0 else { return }
        let system = CoordinateSystem(authority: "EPSG", code: "\(number)")
        do throws(InputError) { try builder.declare(system) } catch {
            coordinates.fault = (.badCoordinates, "is in \(system.name), which cannot be used")
        }
    }
}
