/// The columns that an Arrow schema declares: those with at most one value a row, and the places of
/// their bytes in each batch.
struct ArrowSchema: Sendable {
    /// A node of the tree of columns; batches have them in this order, each before its children.
    struct Node: Sendable {
        var bufferCount: Int
        /// Whether it has additional buffers, whose number is in the batch.
        var isView = false
    }
    /// A column of values.
    struct Column: Sendable {
        var field: ColumnField
        var node: Int
        /// The structures that contain it.
        var outer: [Int]
        var dictionary: Dictionary?
        /// The number of values a row, as for points of two numbers.
        var perRow = 1
    }
    /// A column whose values are indexes into a dictionary.
    struct Dictionary: Sendable {
        var id: Int64
        var indexBytes: Int
        /// The kind of the dictionary's values, and their node in its batches.
        var kind: ColumnKind
        var node: Node
    }

    private(set) var nodes: [Node] = []
    private(set) var columns: [Column] = []
    /// The names of columns with more than one value a row.
    private(set) var lists: [String] = []

    private static let depthLimit = 64
    private static let nodeLimit = 1 << 16

    /// A schema's table: 0 byte order, 1 columns, 2 texts for programs.
    init(_ table: borrowing FlatTable) throws {
        let order: Int16 = try table.integer(0, default: 0)
        guard order == 0 else { throw ArrowFault.bigEndian }
        for index in 0..<(try table.tableCount(1)) {
            try add(table.table(1, at: index), to: Place())
        }
        guard let text = try Self.texts(table, 2)["geo"] else { return }
        // As in GeoParquet; GeoPandas writes it here.
        guard let geo = GeoMetadata(text) else {
            throw ArrowFault.badMessage("its text “geo” is not a JSON object")
        }
        for index in columns.indices { geo.describe(&columns[index].field) }
    }

    /// The schema of a column's dictionary: one column of its values' kind.
    init(_ dictionary: Dictionary, of column: Column) {
        var values = column
        values.field.kind = dictionary.kind
        nodes = [dictionary.node]
        values.node = 0
        values.outer = []
        values.dictionary = nil
        columns = [values]
    }

    /// The place of a node in the tree.
    private struct Place {
        var name: String?
        var outer: [Int] = []
        var depth = 0
        /// The geometry that an enclosing structure of points declares.
        var geometry: ColumnField.Geometry?
        var crs: CoordinateSystem?
    }

    /// A column's table: 0 name, 2 type's kind, 3 type, 4 dictionary, 5 children, 6 texts.
    private mutating func add(_ table: borrowing FlatTable, to place: Place) throws {
        let own = try table.text(0) ?? ""
        let name = place.name.map { "\($0).\(own)" } ?? own
        // Tables may be shared, so a few of them can form an endless tree.
        guard place.depth < Self.depthLimit, nodes.count < Self.nodeLimit else {
            throw ArrowFault.badMessage("columns nest too deeply, or are too many")
        }
        let code: UInt8 = try table.integer(2, default: 0)
        guard let type = try table.table(3) else {
            throw ArrowFault.badMessage("the column \(name) has no type")
        }
        let texts = try Self.texts(table, 6)
        let geo = ArrowGeometry(texts)
        let field = try Self.field(name, code, type, texts, place)
        if let dictionary = try table.table(4) {
            return try addDictionary(dictionary, code, type, field, place)
        }
        let node = nodes.count
        nodes.append(try ArrowType.node(code, type))
        var inner = place
        inner.name = name
        inner.depth += 1
        inner.outer.append(node)
        switch code {
        case 13:
            if geo.isPoint { (inner.geometry, inner.crs) = (.points, geo.crs) }
        case 14, 22:
            columns.append(Column(field: field, node: node, outer: place.outer))
            return try passOver(table, inner)
        case 12, 16, 17, 21, 25, 26:
            if code == 16, geo.isPoint {
                try addInterleaved(table, type, geo, name, place, node: node)
            } else {
                lists.append(name)
            }
            return try passOver(table, inner)
        default:
            columns.append(Column(field: field, node: node, outer: place.outer))
        }
        try addChildren(of: table, to: inner)
    }

    /// A column of values, or of indexes into a dictionary of such. UUIDs and geometries are bytes with an
    /// extension's name.
    private static func field(
        _ name: String, _ code: UInt8, _ type: borrowing FlatTable, _ texts: [String: String],
        _ place: Place
    ) throws -> ColumnField {
        var field = ColumnField(name: name, kind: try ArrowType.kind(code, type))
        let isUUID = texts["ARROW:extension:name"] == "arrow.uuid"
        if isUUID, field.kind == .fixedBinary(bytes: 16) { field.kind = .uuid }
        let geo = ArrowGeometry(texts)
        (field.geometry, field.crs) =
            geo.isWhole ? (.wellKnown, geo.crs) : (place.geometry, place.crs)
        return field
    }

    /// Counts the nodes of a column whose values are not read.
    private mutating func passOver(_ table: borrowing FlatTable, _ place: Place) throws {
        let (columns, lists) = (self.columns, self.lists)
        try addChildren(of: table, to: place)
        (self.columns, self.lists) = (columns, lists)
    }

    private mutating func addChildren(of table: borrowing FlatTable, to place: Place) throws {
        for index in 0..<(try table.tableCount(5)) {
            try add(table.table(5, at: index), to: place)
        }
    }

    /// A dictionary's table: 0 number, 1 type of the indexes, which is signed 32-bit by default.
    private mutating func addDictionary(
        _ table: borrowing FlatTable, _ code: UInt8, _ type: borrowing FlatTable,
        _ field: ColumnField, _ place: Place
    ) throws {
        let bits: Int32 = try table.table(1)?.integer(0, default: 0) ?? 32
        guard [8, 16, 32, 64].contains(bits) else {
            throw ArrowFault.badMessage("the column \(field.name) has indexes of \(bits) bits")
        }
        let dictionary = Dictionary(
            id: try table.integer(0, default: 0), indexBytes: Int(bits) / 8, kind: field.kind,
            node: try ArrowType.node(code, type))
        var values = field
        values.kind = field.kind.small
        columns.append(
            Column(field: values, node: nodes.count, outer: place.outer, dictionary: dictionary))
        nodes.append(Node(bufferCount: 2))
    }

    /// A list's table: 0 the number of values of each list. Its child is the next node.
    private mutating func addInterleaved(
        _ table: borrowing FlatTable, _ type: borrowing FlatTable, _ geo: ArrowGeometry,
        _ name: String, _ place: Place, node: Int
    ) throws {
        let size: Int32 = try type.integer(0, default: 0)
        guard (2...4).contains(size), try table.tableCount(5) == 1 else {
            throw ArrowFault.badMessage("the points of \(name) have \(size) coordinates")
        }
        var field = ColumnField(name: name, kind: .double)
        field.geometry = .interleaved(dimensions: Int(size))
        field.crs = geo.crs
        columns.append(
            Column(
                field: field, node: node + 1, outer: place.outer + [node], perRow: Int(size)))
    }

    /// Texts by name, from tables of 0 name and 1 text.
    private static func texts(
        _ table: borrowing FlatTable, _ field: Int
    ) throws -> [String: String] {
        var texts: [String: String] = [:]
        for index in 0..<(try table.tableCount(field)) {
            let pair = try table.table(field, at: index)
            texts[try pair.text(0) ?? ""] = try pair.text(1) ?? ""
        }
        return texts
    }
}
