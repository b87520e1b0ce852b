/// Which columns say where a row lies.
enum ColumnCoordinates: Equatable, Sendable {
    /// A column of well-known binary.
    case geometry(Int)
    case columns(x: Int, y: Int)
    /// A column whose values are `x`, `y` and what else there is, row by row.
    case interleaved(Int, dimensions: Int)

    /// Whether a column is one of these, and no attribute.
    func contains(_ column: Int) -> Bool {
        switch self {
        case .geometry(column), .columns(column, _), .columns(_, column),
            .interleaved(column, _):
            true
        default: false
        }
    }

    init(
        in fields: [ColumnField], _ options: InputOptions, input: String
    ) throws(InputError) {
        let names = fields.map(\.name)
        func named(_ name: String) throws(InputError) -> Int {
            let found =
                names.firstIndex(of: name)
                ?? names.firstIndex { $0.lowercased() == name.lowercased() }
            if let found { return found }
            throw .noSuchColumn(input: input, column: name, available: names)
        }
        let isNamed = options.xColumn != nil || options.yColumn != nil
        if !isNamed, let geometry = Self.geometry(in: fields) {
            self = geometry
            return
        }
        let x =
            try options.xColumn.map(named)
            ?? CoordinateNames.column(named: CoordinateNames.x, among: names)
        let y =
            try options.yColumn.map(named)
            ?? CoordinateNames.column(named: CoordinateNames.y, among: names)
        guard let x, let y else { throw .noCoordinates(input: input, available: names) }
        for column in [x, y] where !fields[column].kind.isNumber {
            throw .ambiguous(
                input: input, problem: "the column \(names[column]) holds no numbers",
                advice: "make numbers of it, or name others with --x and --y")
        }
        self = .columns(x: x, y: y)
    }

    /// What the file declares, above all as that which it is about; else what is called as geometries
    /// are.
    private static func geometry(in fields: [ColumnField]) -> ColumnCoordinates? {
        let declared =
            fields.firstIndex { $0.geometry != nil && $0.isPrimary }
            ?? fields.firstIndex { $0.geometry != nil }
        guard let declared else {
            return fields.firstIndex { field in
                field.kind.isBinary
                    && CoordinateNames.geometries.contains(field.name.lowercased())
            }.map { .geometry($0) }
        }
        switch fields[declared].geometry {
        case .points:
            let structure = fields[declared].name.split(separator: ".").dropLast()
                .joined(separator: ".")
            let x = fields.firstIndex { $0.name == "\(structure).x" && $0.kind.isNumber }
            let y = fields.firstIndex { $0.name == "\(structure).y" && $0.kind.isNumber }
            if let x, let y { return .columns(x: x, y: y) }
            return nil
        case .interleaved(let dimensions):
            return .interleaved(declared, dimensions: dimensions)
        case .wellKnownBinary, nil: return .geometry(declared)
        }
    }
}
