// Objects that are neither GeoJSON nor records with coordinates.

extension GeoJSONParser {
    /// Rejects an object of a type that GeoJSON does not know.
    mutating func rejectType(_ name: Range<Int>) {
        let type = String(copying: bytes.span(name))
        builder.reject(
            .notAFeature, "has the type \(Snippet.of(type)), which GeoJSON doesn't know")
        if type == "Topology" { builder.failure?.remedy = "--format gdal reads TopoJSON" }
    }

    /// Rejects the object from `start` to here, which has no type.
    mutating func rejectUnknown(from start: Int, hasGeometry: Bool) {
        // The first object may have been meant as a whole document.
        let mayBeDocument = !isInArray && builder.report.records == 1
        var kind = "has no type, and"
        if mayBeDocument { kind = "is no GeoJSON (no type) and no recipe (no layers), and has" }
        if mayBeDocument, pathOfRecords(from: start) == "layers" {
            kind = "is no GeoJSON (no type), and has"
        }
        let (x, y) = (builder.options.xColumn, builder.options.yColumn)
        var members = "no members that look like coordinates (--x and --y name them)"
        if let x, let y {
            members = "no members \(x) and \(y)"
            if x == y { members = "--x and --y name one member, which is read of tables only" }
        }
        let text = snippet(start..<bytes.offset)
        builder.reject(.notAFeature, "\(kind) \(members); it starts with \(text)")
        guard builder.isStopped else { return }
        let remedy = remedy(from: start, hasGeometry: hasGeometry)
        builder.failure?.remedy = remedy
    }

    /// What can be done about an object without a type.
    private func remedy(from start: Int, hasGeometry: Bool) -> String? {
        // Google writes degrees so.
        let text = String(copying: bytes.span(start..<bytes.offset))
        let degrees = ".lon = .longitudeE7 / 1e7 | .lat = .latitudeE7 / 1e7"
        let isWhole = text.contains("\"latitudeE7\"")
        if !isInArray, let path = pathOfRecords(from: start) {
            if path == "layers" { return "if it is a recipe: its name must end in .json" }
            let records = ".\(path)[]" + (isWhole ? " | \(degrees)" : "")
            return "if it holds records in `\(path)`: \(pipe(through: records))"
        }
        if isWhole { return pipe(through: (isInArray ? ".[] | " : "") + degrees) }
        if hasGeometry { return "if it is JSON of ArcGIS: --format gdal reads that" }
        guard let x = builder.options.xColumn, let y = builder.options.yColumn else { return nil }
        if x == y, Self.isPath(x) {
            let feature = "{type: \"Feature\", properties: del(.\(x)), geometry: .\(x)}"
            return "if it is a geometry: " + pipe(through: (isInArray ? ".[] | " : "") + feature)
        }
        guard x.contains("."), Self.isPath(x), Self.isPath(y)
        else { return nil }
        let each = isInArray ? ".[] | " : ""
        return "members of members are not read; take them out, and leave out --x and --y: "
            + pipe(through: "\(each).lon = .\(x) | .lat = .\(y)")
    }

    /// A line that reads the input through a filter of jq.
    private func pipe(through filter: String) -> String {
        let input = builder.blank.input
        let isFile = input != PointSource.standardInput.name && PointSource.isFile(input)
        return "jq -c '\(filter)'\(isFile ? " \(input)" : "") | covey build - …"
    }

    /// The path of a list of objects: its largest list or object, that one's largest, and so on.
    private func pathOfRecords(from start: Int) -> String? {
        var cursor = bytes
        cursor.move(to: start)
        guard cursor.skip("{") else { return nil }
        var largest = (name: "", value: 0..<0)
        repeat {
            guard let name = try? cursor.memberName(), let value = try? cursor.value() else {
                return nil
            }
            let first = bytes[value.lowerBound]
            if first == UInt8(ascii: "[") || first == UInt8(ascii: "{"),
                value.count > largest.value.count
            {
                largest = (name, value)
            }
        } while cursor.skip(",")
        guard Self.isPath(largest.name) else { return nil }
        cursor.move(to: largest.value.lowerBound)
        guard cursor.skip("[") else {
            return pathOfRecords(from: largest.value.lowerBound).map { "\(largest.name).\($0)" }
        }
        cursor.skipSpace()
        return cursor.byte == UInt8(ascii: "{") ? largest.name : nil
    }

    /// Whether jq needs no quotes around the names.
    private static func isPath(_ names: String) -> Bool {
        names.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { name in
            name.first.map { $0.isASCII && ($0.isLetter || $0 == "_") } ?? false
                && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        }
    }
}
