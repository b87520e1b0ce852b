import Points

/// The rows of record batches on their way through a builder, one after another.
struct ArrowRows {
    var builder: PointBuilder
    private let fields: [ArrowField]
    private let input: String
    private let coordinates: ArrowCoordinates
    /// Nil for a column that is no attribute.
    private let attributes: [InputAttribute?]
    private var geometry = BinaryGeometry()
    private let usualCRS: CoordinateSystem

    init(
        _ fields: [ArrowField], builder: PointBuilder, _ options: InputOptions, of input: String
    ) throws(InputError) {
        var builder = builder
        self.fields = fields
        self.input = input
        usualCRS = builder.crs
        var names: Set<String> = []
        for field in fields where !names.insert(field.name).inserted {
            throw .duplicateColumn(input: input, column: field.name)
        }
        let coordinates = try ArrowCoordinates(in: fields, options, input: input)
        self.coordinates = coordinates
        attributes = fields.enumerated().map { index, field in
            switch coordinates {
            case .geometry(index), .columns(index, _), .columns(_, index): return nil
            default: break
            }
            switch field.kind {
            case .binary:
                builder.noteBinary(field.name)
                return nil
            case .other:
                builder.note(
                    "left out the column \(Snippet.of(field.name)), of a type without attributes")
                return nil
            default: return builder.attribute(named: field.name)
            }
        }
        self.builder = builder
    }

    /// Passes a row of a batch.
    mutating func pass(_ row: Int, of batch: borrowing ArrowBatch) throws(InputError) {
        builder.begin()
        for (column, attribute) in attributes.enumerated() {
            guard let attribute, !batch.isNull(column, row) else { continue }
            add(attribute, column, row, of: batch)
        }
        switch coordinates {
        case .geometry(let column): try end(geometry: column, row, of: batch)
        case .columns(let x, let y): end(x, y, row, of: batch)
        }
    }

    private mutating func end(_ x: Int, _ y: Int, _ row: Int, of batch: borrowing ArrowBatch) {
        let (xValue, yValue) = (number(x, row, of: batch), number(y, row, of: batch))
        guard let xValue, let yValue else {
            return xValue == nil && yValue == nil
                ? builder.reject(.noLocation, "has no coordinates")
                : builder.reject(.badCoordinates, "has one coordinate only")
        }
        builder.end(x: xValue, y: yValue)
    }

    /// A coordinate; nil where there is none, which many programs write as NaN.
    private func number(_ column: Int, _ row: Int, of batch: borrowing ArrowBatch) -> Double? {
        guard !batch.isNull(column, row) else { return nil }
        let number: Double
        switch fields[column].kind {
        case .double: number = Double(bitPattern: batch.integer(UInt64.self, column, row))
        case .float:
            number = Double(Float(bitPattern: batch.integer(UInt32.self, column, row)))
        case .integer(let bytes, let isSigned):
            number = Self.integer(bytes, isSigned, column, row, of: batch).asNumber ?? .nan
        default: return nil
        }
        return number.isNaN ? nil : number
    }

    private mutating func end(
        geometry column: Int, _ row: Int, of batch: borrowing ArrowBatch
    ) throws(InputError) {
        guard case .binary(let isLarge) = fields[column].kind, !batch.isNull(column, row) else {
            return builder.reject(.noLocation, "has no geometry")
        }
        guard let bytes = batch.bytes(column, row, isLarge: isLarge) else {
            return builder.reject(.truncated, "has a geometry that leads out of its batch")
        }
        do { try geometry.read(bytes) } catch {
            return builder.reject(error.reason, error.phrase)
        }
        if let system = geometry.referenceSystem, system > 0 {
            guard let crs = CoordinateSystem(organization: "EPSG", code: Int(system)) else {
                throw .unsupportedCRS(input: input, name: "EPSG:\(system)")
            }
            builder.crs = crs
        } else {
            builder.crs = usualCRS
        }
        if geometry.positions.count == 2 {
            builder.end(x: geometry.positions[0], y: geometry.positions[1])
        } else {
            builder.end(positions: geometry.positions)
        }
    }

    // MARK: Attributes

    private mutating func add(
        _ attribute: InputAttribute, _ column: Int, _ row: Int, of batch: borrowing ArrowBatch
    ) {
        switch fields[column].kind {
        case .double, .float:
            // Coordinates and attributes alike: NaN stands for no value.
            if let number = number(column, row, of: batch) {
                builder.add(attribute, number: number)
            }
        case .integer(8, false):
            builder.add(attribute, unsigned: batch.integer(UInt64.self, column, row))
        case .integer(let bytes, let isSigned):
            let value = Self.integer(bytes, isSigned, column, row, of: batch)
            if case .integer(let integer) = value { builder.add(attribute, integer: integer) }
        case .bool: builder.add(attribute, bool: batch.bit(column, row))
        case .text(let isLarge):
            if let bytes = batch.bytes(column, row, isLarge: isLarge) {
                builder.addText(attribute, bytes)
            } else {
                builder.refuse(.truncated, "has a text that leads out of its batch")
            }
        case .date(let inDays):
            addText(
                attribute,
                inDays
                    ? ArrowTime.date(days: Int64(batch.integer(Int32.self, column, row)))
                    : ArrowTime.date(milliseconds: batch.integer(Int64.self, column, row)))
        case .timestamp(let perSecond, let isUTC):
            let count = batch.integer(Int64.self, column, row)
            addText(attribute, ArrowTime.moment(count, perSecond: perSecond, isUTC: isUTC))
        case .nothing, .binary, .other: break
        }
    }

    private mutating func addText(_ attribute: InputAttribute, _ text: String) {
        let bytes = Array(text.utf8)
        builder.add(attribute, utf8: bytes.span)
    }

    private static func integer(
        _ bytes: Int, _ isSigned: Bool, _ column: Int, _ row: Int, of batch: borrowing ArrowBatch
    ) -> AttributeValue {
        switch (bytes, isSigned) {
        case (1, true): .integer(Int64(batch.integer(Int8.self, column, row)))
        case (1, false): .integer(Int64(batch.integer(UInt8.self, column, row)))
        case (2, true): .integer(Int64(batch.integer(Int16.self, column, row)))
        case (2, false): .integer(Int64(batch.integer(UInt16.self, column, row)))
        case (4, true): .integer(Int64(batch.integer(Int32.self, column, row)))
        case (4, false): .integer(Int64(batch.integer(UInt32.self, column, row)))
        case (_, true): .integer(batch.integer(Int64.self, column, row))
        case (_, false): AttributeValue(unsigned: batch.integer(UInt64.self, column, row))
        }
    }
}
