import Basics

/// A geometry in a cell of a table: well-known text, GeoJSON, or well-known binary in hexadecimal digits.
struct GeometryText {
    /// Empty for a blank text or an empty geometry.
    private(set) var positions: [Double] = []
    private(set) var fault: (RejectReason, String)?

    /// Reads it, and sets the system of its coordinates.
    /// - Parameter declared: the system that the input declares for texts that name none.
    init(_ bytes: [UInt8], _ builder: inout PointBuilder, declared: CoordinateSystem?) {
        var block = ByteBlock(capacity: bytes.count)
        block.assign(bytes)
        defer { extendLifetime(block) }
        var text = block.cursor()
        text.skipSpace()
        if text.isAtEnd { return }
        builder.use(declared: declared)
        if text.byte == UInt8(ascii: "{") {
            readGeoJSON(&text, builder.options.pointsFrom)
        } else if text.byte == UInt8(ascii: "0") {
            readBinary(text, &builder)
        } else {
            do throws(WKTPoint.Fault) {
                let found = try WKTPoint.positions(
                    &text, pointsFrom: builder.options.pointsFrom)
                positions = found.positions
                use(found.system, &builder)
            } catch {
                fault = error.problem(Snippet.of(text.span(0..<text.end)))
            }
        }
    }

    private mutating func readGeoJSON(_ text: inout ByteCursor, _ rule: PointsFrom?) {
        var shape = GeometryShape()
        do throws(JSONFault) {
            try shape.parseGeometry(&text)
            if let rule { shape.takePoint(rule, in: text) }
            fault = shape.fault(in: text)
            positions = shape.positions
        } catch {
            fault = error.problem(text)
        }
    }

    /// Reads WKB or EWKB as PostGIS prints it: `0101000020E6100000…`.
    private mutating func readBinary(_ text: ByteCursor, _ builder: inout PointBuilder) {
        let digits = text.span(text.offset..<text.end)
        var wkb: [UInt8] = []
        for index in stride(from: 0, to: digits.count - 1, by: 2) {
            guard let high = digits[index].hexDigit, let low = digits[index + 1].hexDigit
            else {
                fault = WKTPoint.Fault.malformed.problem(Snippet.of(digits))
                return
            }
            wkb.append(high << 4 | low)
        }
        var geometry = BinaryGeometry()
        do throws(BinaryGeometryFault) {
            try geometry.read(wkb.span, pointsFrom: builder.options.pointsFrom)
            positions = geometry.positions
            use(geometry.referenceSystem ?? 0, &builder)
        } catch {
            fault = error.problem
        }
    }

    /// Uses the reference system of a geometry for its coordinates; 0 means none.
    private mutating func use(_ number: Int32, _ builder: inout PointBuilder) {
        guard number > 0 else { return }
        let system = CoordinateSystem(authority: "EPSG", code: "\(number)")
        do throws(InputError) { try builder.declare(system) } catch {
            fault = (.badCoordinates, "is in \(system.name), which cannot be used")
        }
    }
}
