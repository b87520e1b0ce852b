// Which columns give the coordinates of a table.

extension CSVLayout {
    /// The roles of columns, and what the report says about their choice.
    struct Choice {
        var roles: [Role]
        var notes: [String] = []
    }

    /// Of columns with a geometry as text.
    private static let geometryNames = [latitudeFirst] + CoordinateNames.texts
    private static let latitudeFirst = "geopoint2d"
    private static let geohash = "geohash"

    /// Chooses the columns by the options, by their names, and by the first values if they are geometries.
    static func choice(
        of names: [String], values: [String], input: String, options: InputOptions
    ) throws(InputError) -> Choice {
        var choice = Choice(roles: names.map { _ in .attribute })
        if options.isPlaceless { return choice }
        let plain = names.map(CoordinateNames.plain)
        func isGeometry(_ column: Int) -> Bool {
            values.indices.contains(column)
                && (isGeometryText(values[column])
                    || plain[column] == latitudeFirst
                        && CoordinateText.latitudeFirst(values[column]) != nil)
        }
        let columns: [Int]
        if let named = try namedColumns(names, options, input, isGeometry) {
            columns = named
        } else {
            let found = candidates(names, plain, isGeometry)
            guard let first = found.first else {
                throw .noCoordinates(input: input, available: names)
            }
            columns = first
            choice.notes = [note(on: found, names)].compactMap(\.self)
        }
        switch (columns.count, plain[columns[0]]) {
        case (2, _): (choice.roles[columns[0]], choice.roles[columns[1]]) = (.x, .y)
        case (_, latitudeFirst): choice.roles[columns[0]] = .latitudeFirst
        case (_, geohash): choice.roles[columns[0]] = .geohash
        default: choice.roles[columns[0]] = .geometry
        }
        return choice
    }

    /// The columns that the options name, one for a geometry or two for x and y; nil if they name none.
    private static func namedColumns(
        _ names: [String], _ options: InputOptions, _ input: String, _ isGeometry: (Int) -> Bool
    ) throws(InputError) -> [Int]? {
        guard let asked = options.xColumn ?? options.yColumn else { return nil }
        let named = try CoordinateNames.column(asked, among: names, input: input)
        let isAlone = options.xColumn == nil || options.yColumn == nil
        if isAlone, isGeometry(named) { return [named] }
        if let (x, y) = try CoordinateNames.pair(among: names, options, input: input),
            x != y || !isAlone
        {
            return x == y ? [x] : [x, y]
        }
        let (this, that) = options.xColumn == nil ? ("--y", "--x") : ("--x", "--y")
        let name = names[named]
        let others = InputError.some(names.filter { $0 != name })
        throw .ambiguous(
            input: input, problem: "no column looks like the \(that) to \(this) \(name)",
            advice: "name it with \(that); there are \(others). "
                + "A column of geometries is named twice: --x \(name) --y \(name)")
    }

    /// The columns that look like coordinates, the most certain first: pairs by their names, a column by its
    /// first geometry or, at last, by its name alone.
    private static func candidates(
        _ names: [String], _ plain: [String], _ isGeometry: (Int) -> Bool
    ) -> [[Int]] {
        let pairs = CoordinateNames.pairs(among: plain)
        let usual = geometryNames.compactMap(plain.firstIndex)
        let geometries = (usual + plain.indices.filter { !usual.contains($0) }).filter(isGeometry)
        let certain =
            pairs.certain + geometries.map { [$0] } + pairs.affixed + pairs.doubtful
        if !certain.isEmpty { return certain }
        if case (let x?, let y?) = CoordinateNames.pair(among: names) { return [[x, y]] }
        return (usual + [plain.firstIndex(of: geohash)].compactMap(\.self)).prefix(1).map { [$0] }
    }

    /// What the report says if other columns look like coordinates, too, or if two do that are no pair.
    private static func note(on found: [[Int]], _ names: [String]) -> String? {
        let chosen = found[0].map { names[$0] }
        let given = "the coordinates are those of \(chosen.joined(separator: " and "))"
        var others: [String] = []
        // Those whose names differ only in case or signs are no pair of their own.
        let plain = Set(chosen.map(CoordinateNames.plain))
        let twins = names.filter { plain.contains(CoordinateNames.plain($0)) }
        for name in found.dropFirst().joined().map({ names[$0] }) + twins
        where !chosen.contains(name) && !others.contains(name) {
            others.append(name)
        }
        let isPair = chosen.count == 1 || CoordinateNames.isPair(chosen[0], chosen[1])
        if others.isEmpty, isPair { return nil }
        return isPair
            ? "\(given), not of \(others.joined(separator: ", ")); --x and --y choose"
            : "\(given), whose names are no pair; --x and --y choose others"
    }

    /// Whether a value is a geometry as text.
    static func isGeometryText(_ text: String) -> Bool {
        if text.hasPrefix("{") { return text.contains("\"coordinates\"") }
        if text.hasPrefix("0") {
            return text.utf8.count >= 42 && text.utf8.allSatisfy { $0.hexDigit != nil }
        }
        let kind = WKTPoint.kind(text.prefix { $0.isLetter }.uppercased())
        return text.hasSuffix(")")
            && (["SRID", "POINT", "MULTIPOINT"].contains(kind)
                || WKTPoint.otherKinds.contains(kind))
    }
}
