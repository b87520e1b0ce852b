import Points

/// Passes the features of a FlatGeobuf file to a builder, one after another.
struct FlatGeobufFeatures {
    var builder: PointBuilder
    private let header: FlatGeobufHeader
    private let input: String
    /// The attributes of the header's columns; nil for a column that is not used.
    private var attributes: [InputAttribute?]
    /// The integer column with the features' ids, if the header declares one.
    private let idColumn: Int?
    private var number: UInt64 = 0
    private var positions: [Double] = []

    init(
        _ header: FlatGeobufHeader, builder: PointBuilder, of input: String
    ) throws(InputError) {
        var builder = builder
        self.header = header
        self.input = input
        idColumn = builder.takesIDsFromInput ? header.columns.firstIndex { $0.isID } : nil
        attributes = header.columns.map {
            $0.kind == .binary ? nil : builder.attribute(named: $0.name)
        }
        for column in header.columns where column.kind == .binary {
            builder.noteBinary(column.name)
        }
        try builder.declare(header.referenceSystem?.system)
        self.builder = builder
    }

    /// Reads one feature; false after the last.
    mutating func readNext(from window: inout InputWindow) throws(InputError) -> Bool {
        let isCounted = header.featureCount > 0
        if isCounted, number == header.featureCount {
            guard try !window.fill(1) else { throw malformed(window.offset, .bytesLeftOver) }
            return false
        }
        guard try window.fill(4) else {
            if !isCounted, window.available == 0 { return false }
            rejectTruncated(at: window.offset)
            return false
        }
        let size = window.bytes(4).number(0, 4)
        guard size <= FlatGeobufFeature.maximumByteCount else {
            throw malformed(window.offset, .featureTooLarge(bytes: size))
        }
        let start = window.offset
        guard try window.skip(4), try window.fill(size) else {
            rejectTruncated(at: start)
            return false
        }
        number += 1
        builder.begin(at: start)
        read(window.bytes(size))
        return try window.skip(size)
    }

    /// Passes one feature to the builder.
    private mutating func read(_ bytes: Span<UInt8>) {
        do {
            let feature = try FlatGeobufFeature(
                bytes, geometryType: header.geometryType, pointsFrom: builder.options.pointsFrom,
                positions: &positions)
            if let own = feature.ownColumns {
                let attributes = own.map {
                    $0.kind == .binary ? nil : builder.attribute(named: $0.name)
                }
                try addProperties(of: feature, columns: own, attributes: attributes, idColumn: nil)
            } else {
                try addProperties(
                    of: feature, columns: header.columns, attributes: attributes, idColumn: idColumn
                )
            }
            builder.end(positions: positions)
        } catch {
            builder.reject(error.problem)
        }
    }

    private mutating func addProperties(
        of feature: borrowing FlatGeobufFeature, columns: [FlatGeobufColumn],
        attributes: [InputAttribute?], idColumn: Int?
    ) throws(FlatGeobufFault) {
        var cursor = feature.makePropertyCursor()
        while let property = try cursor.next(of: columns) {
            let kind = columns[property.column].kind
            if property.column == idColumn {
                builder.setID(property.integer(of: kind))
            } else if let attribute = attributes[property.column] {
                builder.add(attribute, property, of: kind)
            }
        }
    }

    /// Rejects the current feature, which is missing like all after it.
    private mutating func rejectTruncated(at offset: Int) {
        builder.begin(at: offset)
        let missing = header.featureCount > 0 ? header.featureCount - number - 1 : 0
        let others = missing > 0 ? ", and \(missing) more are missing" : ""
        builder.reject(.truncated, "is cut off by the end of the file\(others)")
    }

    private func malformed(_ offset: Int, _ fault: FlatGeobufFault) -> InputError {
        .malformed(
            input: input, location: "byte \(offset), after feature \(number)",
            problem: fault.description)
    }
}
