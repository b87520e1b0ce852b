/// The columns that contain the rows' positions.
enum ColumnCoordinates: Equatable, Sendable {
    /// A column of well-known binary, or of geometries as texts.
    case geometry(Int)
    case columns(x: Int, y: Int)
    /// A column whose values are `x`, `y` and further dimensions, row by row.
    case interleaved(Int, dimensions: Int)

    /// Whether a column is one of these, not an attribute.
    func contains(_ column: Int) -> Bool {
        switch self {
        case .geometry(column), .columns(column, _), .columns(_, column),
            .interleaved(column, _):
            true
        default: false
        }
    }

    /// - Parameters:
    ///   - fields: the columns that can be read.
    ///   - lists: names of columns with more than one value a row.
    ///   - options: options that may name the columns.
    ///   - input: the file's name in messages.
    init(
        in fields: [ColumnField], lists: [String], _ options: InputOptions, input: String
    ) throws(InputError) {
        let names = fields.map(\.name)
        let isNamed = options.xColumn != nil || options.yColumn != nil
        if let geometry = isNamed
            ? Self.points(in: fields, options) : Self.geometry(in: fields)
        {
            self = geometry
            return
        }
        guard let (x, y) = try CoordinateNames.pair(among: names, options, input: input) else {
            // As in a CSV file, the name alone decides at last.
            let text = CoordinateNames.texts.lazy.compactMap { name in
                fields.firstIndex { $0.kind.isText && CoordinateNames.plain($0.name) == name }
            }.first
            guard !isNamed, let text else { throw Self.missing(among: names, lists, input) }
            self = .geometry(text)
            return
        }
        if x == y, let geometry = Self.geometry(at: x, in: fields) {
            self = geometry
            return
        }
        for column in [x, y] where !fields[column].kind.isNumber {
            let isEncoded = fields[column].kind == .runs
            throw .ambiguous(
                input: input,
                problem: "the column \(names[column]) "
                    + (isEncoded ? "is run-end encoded" : "holds no numbers"),
                advice: "make numbers of it, or name others with --x and --y")
        }
        self = .columns(x: x, y: y)
    }

    /// The points in structures of the name that the options give, for both coordinates.
    private static func points(
        in fields: [ColumnField], _ options: InputOptions
    ) -> ColumnCoordinates? {
        guard let name = options.xColumn, name == options.yColumn else { return nil }
        return fields.firstIndex { $0.geometry == .points && $0.geometryName == name }
            .flatMap { geometry(at: $0, in: fields) }
    }

    /// The error for missing coordinates: GeoArrow's MultiPoints, lines and areas are lists.
    private static func missing(
        among names: [String], _ lists: [String], _ input: String
    ) -> InputError {
        guard
            let shapes = lists.first(where: {
                CoordinateNames.geometries.contains($0.lowercased())
            })
        else { return .noCoordinates(input: input, available: names) }
        return .ambiguous(
            input: input, problem: "the column \(shapes) has its geometries in lists",
            advice: "write them as well-known binary, which is read (GeoParquet's encoding WKB)")
    }

    /// The geometry column that the file declares, preferably the primary one; otherwise a column
    /// with a usual name for geometries.
    private static func geometry(in fields: [ColumnField]) -> ColumnCoordinates? {
        let declared =
            fields.firstIndex { $0.geometry != nil && $0.isPrimary }
            ?? fields.firstIndex { $0.geometry != nil }
        let column =
            declared
            ?? fields.firstIndex { field in
                field.kind.isBinary
                    && CoordinateNames.geometries.contains(field.name.lowercased())
            }
        return column.flatMap { geometry(at: $0, in: fields) }
    }

    /// The column as one of geometries; nil if it cannot be that.
    private static func geometry(at column: Int, in fields: [ColumnField]) -> ColumnCoordinates? {
        switch fields[column].geometry {
        case .points:
            let structure = fields[column].geometryName
            let x = fields.firstIndex { $0.name == "\(structure).x" && $0.kind.isNumber }
            let y = fields.firstIndex { $0.name == "\(structure).y" && $0.kind.isNumber }
            if let x, let y { return .columns(x: x, y: y) }
            return nil
        case .interleaved(let dimensions):
            return .interleaved(column, dimensions: dimensions)
        case .wellKnown, nil:
            let kind = fields[column].kind
            return kind.isBinary || kind.isText ? .geometry(column) : nil
        }
    }
}
