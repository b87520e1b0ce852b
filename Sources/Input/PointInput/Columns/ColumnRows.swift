import Points

/// Passes the rows of columnar batches to a builder, one after another.
struct ColumnRows {
    var builder: PointBuilder
    private let fields: [ColumnField]
    private let coordinates: ColumnCoordinates
    /// Nil for a column that is not an attribute.
    private let attributes: [InputAttribute?]
    private var geometry = BinaryGeometry()
    private let crs: CoordinateSystem?
    /// The number of the last geometry's reference system, so that each is looked up once.
    private var referenceSystem: Int32 = 0

    init(_ selection: ColumnSelection, builder: PointBuilder) {
        var builder = builder
        fields = selection.fields
        crs = selection.crs
        builder.use(declared: crs)
        coordinates = selection.coordinates
        attributes = selection.fields.enumerated().map { index, field in
            selection.coordinates.contains(index) ? nil : builder.attribute(named: field.name)
        }
        for note in selection.notes { builder.note(note) }
        builder.report.met.formUnion(selection.met)
        self.builder = builder
    }

    /// Passes rows of a batch, up to one that ends the run.
    mutating func pass(
        _ batch: borrowing ColumnBatch, rows: Range<Int>
    ) throws(InputError) {
        let lanes = lanes(rows, of: batch)
        for row in rows where !builder.isStopped { try pass(row, of: batch, lanes.span) }
    }

    private func lanes(_ rows: Range<Int>, of batch: borrowing ColumnBatch) -> [ColumnLane] {
        var lanes: [ColumnLane] = []
        for (column, attribute) in attributes.enumerated() {
            guard let attribute else { continue }
            lanes.append(
                ColumnLane(
                    column, fields[column], attribute, builder.plans[attribute.index], rows: rows,
                    of: batch))
        }
        return lanes
    }

    private mutating func pass(
        _ row: Int, of batch: borrowing ColumnBatch, _ lanes: Span<ColumnLane>
    ) throws(InputError) {
        builder.begin()
        // A text that needs more room is packed by the slower functions below.
        let room = 4_096
        var writer = unsafe builder.batch.records.lendWriter(room: room)
        for index in lanes.indices where !lanes[index].write(row, of: batch, to: &writer) {
            builder.batch.records.take(writer)
            let lane = lanes[index]
            if !batch.isNull(lane.column, row) { add(lane.attribute, lane.column, row, of: batch) }
            writer = unsafe builder.batch.records.lendWriter(room: room)
        }
        builder.batch.records.take(writer)
        switch coordinates {
        case .geometry(let column): try end(geometry: column, row, of: batch)
        case .columns(let x, let y): end(x, y, row, of: batch)
        case .interleaved(let column, let dimensions):
            end(interleaved: column, dimensions, row, of: batch)
        }
    }

    private mutating func end(_ x: Int, _ y: Int, _ row: Int, of batch: borrowing ColumnBatch) {
        guard let x = number(x, row, of: batch), let y = number(y, row, of: batch) else {
            return builder.reject(.noLocation, "has no coordinates")
        }
        builder.end(x: x, y: y)
    }

    /// A coordinate; nil if there is none, which many programs write as NaN.
    private func number(_ column: Int, _ row: Int, of batch: borrowing ColumnBatch) -> Double? {
        guard !batch.isNull(column, row) else { return nil }
        let number: Double
        switch fields[column].kind {
        case .double: number = Double(bitPattern: batch.integer(UInt64.self, column, row))
        case .float:
            number = Double(Float(bitPattern: batch.integer(UInt32.self, column, row)))
        case .integer(let bytes, let isSigned):
            number = Self.integer(bytes, isSigned, column, row, of: batch).asNumber ?? .nan
        case .half: number = Double(Float16(bitPattern: batch.integer(UInt16.self, column, row)))
        case .decimal(let bytes, let scale, let isBigEndian):
            number = ColumnNumber.decimal(
                batch.bytes(column, row, size: bytes), scale: scale, isBigEndian: isBigEndian)
        default: return nil
        }
        return number.isNaN ? nil : number
    }

    private mutating func end(
        geometry column: Int, _ row: Int, of batch: borrowing ColumnBatch
    ) throws(InputError) {
        if referenceSystem == 0, let bytes = batch.evenBytes(column, row),
            let point = BinaryGeometry.plainPoint(bytes)
        {
            return builder.end(x: point.x, y: point.y)
        }
        guard !batch.isNull(column, row) else {
            return builder.reject(.noLocation, "has no geometry")
        }
        let bytes: Span<UInt8>
        switch fields[column].kind {
        case .text(let isLarge): return end(text: column, isLarge, row, of: batch)
        case .binary(let isLarge):
            guard let found = batch.bytes(column, row, isLarge: isLarge) else {
                return builder.reject(.truncated, "has a geometry that extends beyond its batch")
            }
            bytes = found
        case .fixedBinary(let size): bytes = batch.bytes(column, row, size: size)
        default: return builder.reject(.noLocation, "has no geometry")
        }
        if referenceSystem == 0, let point = BinaryGeometry.plainPoint(bytes) {
            return builder.end(x: point.x, y: point.y)
        }
        do { try geometry.read(bytes, pointsFrom: builder.options.pointsFrom) } catch {
            return builder.reject(error.problem)
        }
        let system = max(geometry.referenceSystem ?? 0, 0)
        if system != referenceSystem {
            referenceSystem = system
            try builder.declare(system == 0 ? crs : .init(authority: "EPSG", code: "\(system)"))
        }
        builder.end(positions: geometry.positions)
    }

    /// Ends a row with the geometry in a text.
    private mutating func end(
        text column: Int, _ isLarge: Bool, _ row: Int, of batch: borrowing ColumnBatch
    ) {
        guard let bytes = batch.bytes(column, row, isLarge: isLarge) else {
            return builder.reject(.truncated, "has a geometry that extends beyond its batch")
        }
        let text = GeometryText(bytes.indices.map { bytes[$0] }, &builder, declared: crs)
        if let (reason, problem) = text.fault { return builder.endWithoutPoint(reason, problem) }
        builder.end(positions: text.positions)
    }

    private mutating func end(
        interleaved column: Int, _ dimensions: Int, _ row: Int, of batch: borrowing ColumnBatch
    ) {
        guard !batch.isNull(column, row) else {
            return builder.reject(.noLocation, "has no geometry")
        }
        let x = Double(bitPattern: batch.integer(UInt64.self, column, dimensions * row))
        let y = Double(bitPattern: batch.integer(UInt64.self, column, dimensions * row + 1))
        if x.isNaN || y.isNaN { return builder.reject(.noLocation, "has no coordinates") }
        builder.end(x: x, y: y)
    }

    // MARK: Attributes

    private mutating func add(
        _ attribute: InputAttribute, _ column: Int, _ row: Int, of batch: borrowing ColumnBatch
    ) {
        switch fields[column].kind {
        case .double, .float, .half, .decimal:
            // For coordinates and attributes alike, NaN means no value.
            if let number = number(column, row, of: batch) {
                builder.add(attribute, number: number)
            }
        case .integer(let bytes, let isSigned):
            builder.add(attribute, Self.integer(bytes, isSigned, column, row, of: batch))
        case .bool: builder.add(attribute, bool: batch.bit(column, row))
        case .text(let isLarge):
            if let bytes = batch.bytes(column, row, isLarge: isLarge) {
                builder.addText(attribute, bytes)
            } else {
                builder.refuse(.truncated, "has a text that extends beyond its batch")
            }
        case .date(let inDays):
            addText(
                attribute,
                inDays
                    ? ColumnTime.date(days: Int64(batch.integer(Int32.self, column, row)))
                    : ColumnTime.date(milliseconds: batch.integer(Int64.self, column, row)))
        case .timestamp(let perSecond, let isUTC):
            let count = batch.integer(Int64.self, column, row)
            addText(attribute, ColumnTime.moment(count, perSecond: perSecond, isUTC: isUTC))
        case .uuid:
            addText(attribute, ColumnNumber.uuid(batch.bytes(column, row, size: 16)))
        case .nothing, .binary, .fixedBinary, .other, .runs: break
        }
    }

    private mutating func addText(_ attribute: InputAttribute, _ text: String) {
        let bytes = Array(text.utf8)
        builder.add(attribute, utf8: bytes.span)
    }

    private static func integer(
        _ bytes: Int, _ isSigned: Bool, _ column: Int, _ row: Int, of batch: borrowing ColumnBatch
    ) -> AttributeValue {
        let start = batch.columns[column].values.lowerBound
        let whole = batch.whole(bytes, isSigned, at: start + bytes * row)
        return isSigned ? .integer(whole) : AttributeValue(unsigned: UInt64(bitPattern: whole))
    }
}
