import PointInput

private let rules: [PointsFrom?] = [nil] + PointsFrom.allCases

/// Whatever the bytes, header and feature are read or refused, and no view leads out of them.
@_cdecl("LLVMFuzzerTestOneInput")
func fuzzFlatGeobuf(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = Span(_unsafeElements: UnsafeBufferPointer(start: bytes, count: count))
    let header = try? FlatGeobufHeader(input)
    for type in [UInt8(0), 1, 3, 4, 7] {
        let rule = rules[count % rules.count]
        var positions: [Double] = []
        guard
            let feature = try? FlatGeobufFeature(
                input, geometryType: type, pointsFrom: rule, positions: &positions)
        else { continue }
        precondition(positions.count % 2 == 0)
        var cursor = feature.makePropertyCursor()
        let columns = feature.ownColumns ?? header?.columns ?? []
        while let property = try? cursor.next(of: columns) {
            precondition(property.column < columns.count && property.bytes.count <= count)
        }
    }
    var geometry = BinaryGeometry()
    if (try? geometry.read(input, pointsFrom: rules[count % rules.count])) != nil {
        precondition(geometry.positions.count % 2 == 0)
    }
    return 0
}
