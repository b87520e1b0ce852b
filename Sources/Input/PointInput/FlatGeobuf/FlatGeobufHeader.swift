/// The header of a FlatGeobuf file.
package struct FlatGeobufHeader: Equatable, Sendable {
    package var name: String?
    package var geometryType: UInt8
    package var columns: [FlatGeobufColumn]
    /// The number of features; 0 if the writer did not know it.
    package var featureCount: UInt64
    /// The size of the spatial index between the header and the features, in bytes.
    package var indexByteCount: Int
    package var referenceSystem: ReferenceSystem?

    /// The reference system in the header.
    package struct ReferenceSystem: Equatable, Sendable {
        package var organization: String
        package var code: Int32
        package var name: String?
        /// Well-known text, and a code that is not a number.
        package var text: String?
        package var codeText: String?

        /// Its meaning; nil if it is undefined, so that the options decide.
        var system: CoordinateSystem? {
            // Code 0 means a system without a number.
            let code = code == 0 ? codeText ?? "" : "\(code)"
            guard code.isEmpty else {
                return .init(authority: organization, code: code, otherwise: text ?? "")
            }
            return text.flatMap { CoordinateSystem(declared: $0) }
        }
    }

    /// The bytes before the header's table: the magic and the table's length.
    package static let prefixByteCount = 12
    /// A limit above the size of any header with 65,536 columns.
    static let maximumByteCount = 64 << 20

    /// The length of the header's table, from the first 12 bytes of the file.
    package static func byteCount(
        afterPrefix bytes: Span<UInt8>
    ) throws(FlatGeobufFault) -> Int {
        guard bytes.count >= prefixByteCount, FlatGeobufReader.recognises(bytes) else {
            throw .noMagic
        }
        guard bytes[3] == 3 else { throw .unknownVersion(bytes[3]) }
        let count = try Int(FlatTable.load(UInt32.self, bytes, at: 8))
        guard count <= maximumByteCount else { throw .headerTooLarge(bytes: count) }
        return count
    }

    /// Reads the header's table with the schema's field numbers: 0 name, 2 geometry type, 7
    /// columns, 8 feature count, 9 index node size, 10 reference system.
    package init(_ bytes: Span<UInt8>) throws(FlatGeobufFault) {
        let table = try FlatTable(rootOf: bytes)
        name = try table.text(0)
        geometryType = try table.integer(2, default: 0)
        columns = try FlatGeobufColumn.list(in: table, field: 7, byteCount: bytes.count)
        featureCount = try table.integer(8, default: 0)
        indexByteCount = try Self.indexByteCount(
            features: featureCount, nodeSize: Int(table.integer(9, default: UInt16(16))))
        // The reference system's table: 0 organization, 1 code, 2 name, 4 text, 5 code as text.
        if let system = try table.table(10) {
            referenceSystem = try ReferenceSystem(
                organization: system.text(0) ?? "EPSG", code: system.integer(1, default: 0),
                name: system.text(2), text: system.text(4), codeText: system.text(5))
        }
    }

    /// The size of a packed R-tree: 40 bytes (a box and an offset) for each node of all levels.
    static func indexByteCount(
        features: UInt64, nodeSize: Int
    ) throws(FlatGeobufFault) -> Int {
        guard features > 0, nodeSize > 0 else { return 0 }
        // Twice the number of leaves is a bound for every tree whose nodes have two children or more.
        guard nodeSize >= 2, features <= UInt64(Int.max / 160) else {
            throw .badIndexSize(nodeSize: nodeSize, features: features)
        }
        var level = Int(features)
        var nodes = level
        repeat {
            level = (level + nodeSize - 1) / nodeSize
            nodes += level
        } while level > 1
        return 40 * nodes
    }
}
