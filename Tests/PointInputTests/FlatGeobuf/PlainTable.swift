import PointInput

/// A second reading of FlatBuffers tables: slow and short, with nil for all that lies outside of the
/// bytes or cannot be.
struct PlainTable {
    let bytes: [UInt8]
    let start: Int
    let vtable: Int
    let vtableSize: Int

    init?(rootOf bytes: [UInt8]) {
        guard let start = Self.number(bytes, at: 0, 4) else { return nil }
        self.init(bytes, at: Int(start))
    }

    init?(_ bytes: [UInt8], at start: Int) {
        guard let back = Self.number(bytes, at: start, 4) else { return nil }
        let vtable = start - Int(Int32(truncatingIfNeeded: back))
        guard let size = Self.number(bytes, at: vtable, 2), size >= 4,
            vtable + Int(size) <= bytes.count
        else { return nil }
        (self.bytes, self.start, self.vtable, vtableSize) = (bytes, start, vtable, Int(size))
    }

    static func number(_ bytes: [UInt8], at offset: Int, _ width: Int) -> UInt64? {
        guard offset >= 0, offset + width <= bytes.count else { return nil }
        return bytes[offset..<offset + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What a field says; `.some(nil)` of one that is absent, nil of one that cannot be read.
    func place(of field: Int) -> Int?? {
        guard 4 + 2 * field + 2 <= vtableSize else { return .some(nil) }
        guard let offset = Self.number(bytes, at: vtable + 4 + 2 * field, 2) else { return nil }
        return .some(offset == 0 ? nil : start + Int(offset))
    }

    func number(_ field: Int, _ width: Int, else absent: UInt64) -> UInt64? {
        guard let place = place(of: field) else { return nil }
        return place.map { Self.number(bytes, at: $0, width) } ?? absent
    }

    /// Where a field's vector or table starts.
    func target(of field: Int) -> Int?? {
        guard let place = place(of: field) else { return nil }
        guard let place else { return .some(nil) }
        return Self.number(bytes, at: place, 4).map { place + Int($0) }
    }

    func vector(_ field: Int, of width: Int) -> [UInt8]? {
        guard let target = target(of: field) else { return nil }
        guard let target else { return [] }
        guard let count = Self.number(bytes, at: target, 4),
            target + 4 + Int(count) * width <= bytes.count
        else { return nil }
        return Array(bytes[(target + 4)...].prefix(Int(count) * width))
    }

    func table(_ field: Int) -> PlainTable?? {
        guard let target = target(of: field) else { return nil }
        guard let target else { return .some(nil) }
        return PlainTable(bytes, at: target).map { $0 }
    }

    /// The columns that a vector of tables declares.
    func columns(_ field: Int) -> [FlatGeobufColumn]? {
        guard let slots = vector(field, of: 4), let target = target(of: field) else { return nil }
        var columns: [FlatGeobufColumn] = []
        for index in 0..<slots.count / 4 {
            guard let slot = target.map({ $0 + 4 + 4 * index }),
                let offset = Self.number(bytes, at: slot, 4),
                let table = PlainTable(bytes, at: slot + Int(offset)),
                let type = table.number(1, 1, else: 0),
                let kind = FlatGeobufColumn.Kind(rawValue: UInt8(type)),
                let name = table.vector(0, of: 1), let isKey = table.number(9, 1, else: 0)
            else { return nil }
            columns.append(
                .init(
                    name: String(decoding: name, as: UTF8.self), kind: kind,
                    isPrimaryKey: isKey != 0))
        }
        return columns
    }
}

/// What a feature says, by one reader or the other.
struct PlainFeature: Equatable {
    var coordinates: [UInt64] = []
    var columns: [FlatGeobufColumn] = []
    /// The column's number and the value's bytes.
    var properties: [[Int]] = []

    /// As the reader of the product takes it.
    init(read bytes: [UInt8]) throws(FlatGeobufFault) {
        var positions: [Double] = []
        let feature = try FlatGeobufFeature(bytes.span, geometryType: 0, positions: &positions)
        coordinates = positions.map(\.bitPattern)
        columns = feature.ownColumns ?? []
        var cursor = feature.makePropertyCursor()
        while let property = try cursor.next(of: columns) {
            let bytes = property.bytes
            properties.append([property.column] + bytes.indices.map { Int(bytes[$0]) })
        }
    }

    /// As the format's description has it; nil if the bytes are no feature of points.
    init?(plainly bytes: [UInt8]) {
        guard let table = PlainTable(rootOf: bytes), let geometry = table.table(0),
            var rest = table.vector(1, of: 1).map({ $0[...] }), let columns = table.columns(2)
        else { return nil }
        self.columns = columns
        if let geometry {
            guard let type = geometry.number(6, 1, else: 0), type == 1 || type == 4,
                let xy = geometry.vector(1, of: 8), xy.count % 16 == 0, type == 4 || xy.count <= 16
            else { return nil }
            coordinates = stride(from: 0, to: xy.count, by: 16).flatMap { start in
                let pair = [start, start + 8].compactMap { PlainTable.number(xy, at: $0, 8) }
                return pair.allSatisfy { Double(bitPattern: $0).isNaN } ? [] : pair
            }
        }
        let widths = [1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8]
        func take(_ count: Int) -> [UInt8]? {
            guard count <= rest.count else { return nil }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        while !rest.isEmpty {
            guard let number = take(2) else { return nil }
            let column = Int(number[0]) + Int(number[1]) << 8
            guard column < columns.count else { return nil }
            var width = Int(columns[column].kind.rawValue)
            if width < widths.count {
                width = widths[width]
            } else {
                guard let size = take(4).flatMap({ PlainTable.number($0, at: 0, 4) })
                else { return nil }
                width = Int(size)
            }
            guard let value = take(width) else { return nil }
            properties.append([column] + value.map(Int.init))
        }
    }
}

extension FlatGeobufHeader {
    /// The header by the format's description; nil if the bytes are none.
    init?(plainly bytes: [UInt8]) {
        guard var header = try? FlatGeobufHeader(FlatGeobufBytes.header(code: 1).span),
            let table = PlainTable(rootOf: bytes), let name = table.vector(0, of: 1),
            let hasName = table.place(of: 0), let type = table.number(2, 1, else: 0),
            let columns = table.columns(7), let count = table.number(8, 8, else: 0),
            let nodeSize = table.number(9, 2, else: 16), let system = table.table(10)
        else { return nil }
        header.name = hasName.map { _ in String(decoding: name, as: UTF8.self) }
        header.geometryType = UInt8(type)
        header.columns = columns
        header.featureCount = count
        header.indexByteCount = 0
        if count > 0, nodeSize > 0 {
            guard nodeSize > 1, count <= UInt64(Int.max / 160) else { return nil }
            // Each level has a node for every `nodeSize` of the one below it.
            var levels = [count]
            while levels.count == 1 || levels[levels.count - 1] > 1 {
                let below = levels[levels.count - 1]
                levels.append(below / nodeSize + (below % nodeSize > 0 ? 1 : 0))
            }
            header.indexByteCount = Int(levels.reduce(0, +)) * 40
        }
        header.referenceSystem = system.flatMap { Self.referenceSystem($0, like: header) }
        if system != nil, header.referenceSystem == nil { return nil }
        self = header
    }

    private static func referenceSystem(
        _ table: PlainTable, like header: FlatGeobufHeader
    ) -> ReferenceSystem? {
        guard var system = header.referenceSystem, let hasName = table.place(of: 0),
            let name = table.vector(0, of: 1), let code = table.number(1, 4, else: 0),
            let hasTitle = table.place(of: 2), let title = table.vector(2, of: 1)
        else { return nil }
        system.organization = hasName == nil ? "EPSG" : String(decoding: name, as: UTF8.self)
        system.code = Int32(truncatingIfNeeded: code)
        system.name = hasTitle.map { _ in String(decoding: title, as: UTF8.self) }
        return system
    }
}
