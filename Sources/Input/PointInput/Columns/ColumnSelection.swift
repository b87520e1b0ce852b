/// The columns of a columnar file that are read, and their roles.
struct ColumnSelection: Sendable {
    /// The columns that are read.
    private(set) var fields: [ColumnField] = []
    /// Their numbers among all columns of the file.
    private(set) var sources: [Int] = []
    /// The columns of the coordinates, among those that are read.
    let coordinates: ColumnCoordinates
    /// The system that the file declares; nil leaves it to the options.
    let crs: CoordinateSystem?
    /// Notes for the user about columns that are not read.
    private(set) var notes: [String] = []
    /// `InputReport.met`: columns that are excluded are not read.
    let met: Set<String>

    /// - Parameter lists: names of columns with more than one value a row.
    init(
        from all: [ColumnField], lists: [String], _ builder: inout PointBuilder,
        _ options: InputOptions, input: String
    ) throws(InputError) {
        var names: Set<String> = []
        for field in all where !names.insert(field.name).inserted {
            throw .duplicateColumn(input: input, column: field.name)
        }
        let coordinates = try ColumnCoordinates(in: all, lists: lists, options, input: input)
        let declaring =
            switch coordinates {
            case .geometry(let column), .columns(let column, _), .interleaved(let column, _): column
            }
        var places = [Int?](repeating: nil, count: all.count)
        for (index, field) in all.enumerated() {
            if coordinates.contains(index) { builder.meet(field.name) }
            guard
                coordinates.contains(index)
                    || Self.isAttribute(field, beside: all[declaring], options, &notes, &builder)
            else { continue }
            places[index] = fields.count
            fields.append(field)
            sources.append(index)
        }
        for name in lists {
            let attribute = builder.attribute(named: name)
            if !builder.isIgnored(attribute) {
                notes.append("left out the lists of \(Snippet.of(name))")
            }
        }
        met = builder.report.met
        func place(_ index: Int) -> Int { places[index] ?? 0 }
        self.coordinates =
            switch coordinates {
            case .geometry(let column): .geometry(place(column))
            case .columns(let x, let y): .columns(x: place(x), y: place(y))
            case .interleaved(let column, let dimensions):
                .interleaved(place(column), dimensions: dimensions)
            }
        crs = all[declaring].crs
        if options.crs == nil { try crs?.check(in: input) }
    }

    /// Whether a column is wanted as an attribute; notes one that cannot be an attribute.
    /// - Parameter own: the column that has the coordinates, or the first of them.
    private static func isAttribute(
        _ field: ColumnField, beside own: ColumnField, _ options: InputOptions,
        _ notes: inout [String], _ builder: inout PointBuilder
    ) -> Bool {
        let attribute = builder.attribute(named: field.name)
        if builder.isIgnored(attribute) { return false }
        // The boxes of points repeat the points.
        if field.sideOf == own.geometryName, !options.asks(for: field.name) { return false }
        switch field.kind {
        case _ where field.geometry != nil && field.geometry != .wellKnown:
            let note = "left out the points of \(Snippet.of(field.geometryName))"
            if field.geometryName != own.geometryName, !notes.contains(note) { notes.append(note) }
            return false
        case .nothing: return false
        case .binary, .fixedBinary:
            notes.append("left out the binary values of \(Snippet.of(field.name))")
            return false
        case .other:
            notes.append(
                "left out the column \(Snippet.of(field.name)), of a type without attributes")
            return false
        case .runs:
            notes.append(
                "left out the column \(Snippet.of(field.name)), which is run-end encoded; cast it to the "
                    + "type of its values")
            return false
        default: return true
        }
    }
}
