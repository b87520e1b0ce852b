/// Which columns of an Arrow schema say where a row lies.
enum ArrowCoordinates: Equatable {
    /// A column of well-known binary.
    case geometry(Int)
    case columns(x: Int, y: Int)

    init(
        in fields: [ArrowField], _ options: InputOptions, input: String
    ) throws(InputError) {
        let names = fields.map(\.name)
        func named(_ name: String) throws(InputError) -> Int {
            let found =
                names.firstIndex(of: name)
                ?? names.firstIndex { $0.lowercased() == name.lowercased() }
            if let found { return found }
            throw .noSuchColumn(input: input, column: name, available: names)
        }
        let usualX = CoordinateNames.column(named: CoordinateNames.x, among: names)
        let usualY = CoordinateNames.column(named: CoordinateNames.y, among: names)
        let isNamed = options.xColumn != nil || options.yColumn != nil
        if !isNamed, let geometry = Self.geometry(in: fields) {
            self = .geometry(geometry)
            return
        }
        let x = try options.xColumn.map(named) ?? usualX
        let y = try options.yColumn.map(named) ?? usualY
        guard let x, let y else { throw .noCoordinates(input: input, available: names) }
        for column in [x, y] where !fields[column].kind.isNumber {
            throw .ambiguous(
                input: input, problem: "the column \(names[column]) holds no numbers",
                advice: "make numbers of it, or name others with --x and --y")
        }
        self = .columns(x: x, y: y)
    }

    private static func geometry(in fields: [ArrowField]) -> Int? {
        fields.firstIndex { field in
            guard case .binary = field.kind else { return false }
            return CoordinateNames.geometries.contains(field.name.lowercased())
        }
    }
}
