/// The columns of a Parquet file with at most one value a row, and the rest of its schema.
struct ParquetSchema: Sendable {
    private(set) var columns: [ParquetColumn] = []
    /// The names of lists and maps, which are not read.
    private(set) var lists: [String] = []
    /// The leaves with the boxes of a column's geometries, by its name.
    private(set) var boxes: [String: BoxLeaves] = [:]

    private static let depthLimit = 64

    /// Reads the columns of a file, with their GeoParquet metadata.
    init(_ footer: ParquetFooter) throws(ParquetFault) {
        try self.init(footer.elements, footer.texts)
        guard let text = footer.texts["geo"] else { return }
        guard let geo = GeoMetadata(text) else {
            throw .badFooter("its text “geo” is not a JSON object")
        }
        for index in columns.indices { geo.describe(&columns[index].field) }
        for (name, column) in geo.columns {
            let leaves = column.covering.compactMap { side in
                columns.first { $0.field.name == side }?.leaf
            }
            guard leaves.count == 4 else { continue }
            boxes[name] = BoxLeaves(
                west: leaves[0], south: leaves[1], east: leaves[2], north: leaves[3])
        }
    }

    /// Reads the schema's tree in the order of the file: a group is followed by its children.
    private init(
        _ elements: [ParquetElement], _ texts: [String: String]
    ) throws(ParquetFault) {
        guard let root = elements.first else { throw .badSchema("it is missing") }
        var next = 1
        var leaf = 0
        for _ in 0..<root.childCount {
            try add(elements, &next, &leaf, to: Place(name: nil, depth: 1, texts: texts))
        }
        guard next == elements.count else {
            throw .badSchema("it has \(elements.count) nodes, of which \(next) are in the tree")
        }
    }

    /// The place of a node in the tree: its name, and the number of optional groups around it.
    private struct Place {
        var name: String?
        var depth: Int
        var definitions = 0
        var isRepeated = false
        /// Texts of the footer, which may include coordinate systems.
        let texts: [String: String]
    }

    private mutating func add(
        _ elements: [ParquetElement], _ next: inout Int, _ leaf: inout Int, to place: Place
    ) throws(ParquetFault) {
        guard next < elements.count else { throw .badSchema("a group has too few children") }
        guard place.depth < Self.depthLimit else { throw .badSchema("groups nest too deeply") }
        let element = elements[next]
        next += 1
        var own = place
        own.name = place.name.map { "\($0).\(element.name)" } ?? element.name
        own.depth += 1
        own.definitions += element.repetition == .required ? 0 : 1
        let isList = element.isList
        if isList, !place.isRepeated { lists.append(own.name ?? "") }
        own.isRepeated = place.isRepeated || isList
        guard element.physical == nil else {
            defer { leaf += 1 }
            guard !own.isRepeated else { return }
            columns.append(
                try ParquetColumn(
                    element, name: own.name ?? "", leaf: leaf, definitions: own.definitions,
                    place.texts))
            return
        }
        for _ in 0..<element.childCount { try add(elements, &next, &leaf, to: own) }
    }
}

extension ParquetElement {
    fileprivate var isList: Bool {
        // ConvertedType: 1 a map, 2 its pairs, 3 a list.
        repetition == .repeated || logical == .list || logical == .map
            || converted.map((1...3).contains) ?? false
    }
}

/// A column of a Parquet file with at most one value a row.
struct ParquetColumn: Sendable {
    var field: ColumnField
    /// The index of its leaf in the schema.
    let leaf: Int
    let physical: ParquetElement.Physical
    /// The size of a value in a page, if it is fixed.
    let size: Int?
    /// The level of a value that is present; above 0 values may be missing.
    let definitions: Int

    init(
        _ element: ParquetElement, name: String, leaf: Int, definitions: Int,
        _ texts: [String: String]
    ) throws(ParquetFault) {
        guard let physical = element.physical else { throw .badSchema("\(name) has no type") }
        self.leaf = leaf
        self.physical = physical
        self.definitions = definitions
        size =
            switch physical {
            case .int32, .float: 4
            case .int64, .double: 8
            case .int96: 12
            case .fixed: element.size
            case .bool, .bytes: nil
            }
        if let size, size < 1 || size > 1 << 20 {
            throw .badSchema("a value of the column \(name) has \(size) bytes")
        }
        // The declared meaning may not fit the physical type.
        let decoded = physical == .int96 ? 8 : size
        let fits = element.kind.size == decoded || element.kind.size == nil
        var field = ColumnField(name: name, kind: fits ? element.kind : .other)
        if case .geometry(let crs) = element.logical {
            field.geometry = .wellKnown
            field.crs = crs.flatMap { Self.system($0, texts) }
        }
        self.field = field
    }

    /// `srid` is Parquet's word for EPSG, and `projjson` refers to a text of the footer.
    private static func system(_ text: String, _ texts: [String: String]) -> CoordinateSystem? {
        if text.hasPrefix("srid:") {
            return CoordinateSystem(declared: String(text.dropFirst("srid:".count)))
        }
        let named = text.hasPrefix("projjson:") ? texts[String(text.dropFirst(9))] : nil
        return CoordinateSystem(declared: named ?? text)
    }
}

extension ParquetElement {
    /// The kind of the values. Whole numbers of fewer bytes take four.
    fileprivate var kind: ColumnKind {
        switch physical {
        case .bool: .bool
        case .float: .float
        case .double: .double
        // Moments as programs before 2017 wrote them, decoded to microseconds.
        case .int96: .timestamp(perSecond: 1_000_000, isUTC: false)
        case .int32: numberKind(bytes: 4)
        case .int64: numberKind(bytes: 8)
        case .fixed: fixedKind
        case .bytes, nil:
            switch (logical, converted) {
            // Texts, enumerations, JSON.
            case (.text, _), (nil, 0), (nil, 4), (nil, 19): .text(isLarge: false)
            case (.decimal, _), (nil, 5): .other
            default: .binary(isLarge: false)
            }
        }
    }

    private var fixedKind: ColumnKind {
        switch (logical, converted) {
        case _ where size > ColumnKind.longestFixed: .other
        case (.uuid, _): .uuid
        case (.half, _) where size == 2: .half
        case (.decimal(let scale), _):
            .decimal(bytes: size, scale: scale, isBigEndian: true)
        case (nil, 5): .decimal(bytes: size, scale: scale, isBigEndian: true)
        default: .fixedBinary(bytes: size)
        }
    }

    private func numberKind(bytes: Int) -> ColumnKind {
        switch (logical, converted) {
        case (.date, _), (nil, 6): .date(inDays: true)
        case (.timestamp(let perSecond, let isUTC), _):
            .timestamp(perSecond: perSecond, isUTC: isUTC)
        case (nil, 9): .timestamp(perSecond: 1_000, isUTC: true)
        case (nil, 10): .timestamp(perSecond: 1_000_000, isUTC: true)
        case (.decimal(let scale), _): .decimal(bytes: bytes, scale: scale, isBigEndian: false)
        case (nil, 5): .decimal(bytes: bytes, scale: scale, isBigEndian: false)
        case (.integer(_, let isSigned), _): .integer(bytes: bytes, isSigned: isSigned)
        case (nil, .some(11...14)): .integer(bytes: bytes, isSigned: false)
        case (nil, nil), (nil, .some(15...18)): .integer(bytes: bytes, isSigned: true)
        case (.null, _): .nothing
        // Times of day, intervals.
        default: .other
        }
    }
}
