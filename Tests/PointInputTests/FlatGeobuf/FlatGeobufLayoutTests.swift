import PointInput
import TestSupport
import Testing

struct FlatGeobufLayoutTests {
    typealias Bytes = FlatGeobufBytes

    static func fault(in body: () throws -> Void) -> FlatGeobufFault? {
        do {
            try body()
            return nil
        } catch { return error as? FlatGeobufFault }
    }

    @Test func `a header gives its columns, count, index size and reference system`() throws {
        let bytes = Bytes.header(
            geometryType: 4,
            columns: [Bytes.column("a", 5), Bytes.column("größe", 11, isPrimaryKey: true)],
            count: 1081, nodeSize: 16, code: 3857)
        let header = try FlatGeobufHeader(bytes.span)
        #expect(header.name == "layer" && header.geometryType == 4 && header.featureCount == 1081)
        #expect(
            header.columns == [
                .init(name: "a", kind: .int32),
                .init(name: "größe", kind: .text, isPrimaryKey: true),
            ])
        // 1081 leaves, then 68, 5 and 1 nodes.
        #expect(header.indexByteCount == 40 * (1081 + 68 + 5 + 1))
        #expect(header.referenceSystem?.code == 3857)
        #expect(header.referenceSystem?.organization == "EPSG")
    }

    @Test func `a node of the index has two children at least`() throws {
        let header = try FlatGeobufHeader(Bytes.header(count: 5, nodeSize: 2).span)
        // Five leaves, then 3, 2 and 1 nodes.
        #expect(header.indexByteCount == 40 * (5 + 3 + 2 + 1))
        #expect(try FlatGeobufHeader(Bytes.header(count: 5, nodeSize: 0).span).indexByteCount == 0)
    }

    @Test func `the prefix is checked before anything is believed`() throws {
        let file = Bytes.file(header: Bytes.header(), features: [])
        let prefix = Array(file.prefix(12))
        let count = try FlatGeobufHeader.byteCount(afterPrefix: prefix.span)
        #expect(count == file.count - 12)
        func fault(_ change: (inout [UInt8]) -> Void) -> FlatGeobufFault? {
            var bytes = prefix
            change(&bytes)
            return Self.fault { _ = try FlatGeobufHeader.byteCount(afterPrefix: bytes.span) }
        }
        #expect(fault { $0[0] = 0 } == .noMagic)
        #expect(fault { $0.removeLast() } == .noMagic)
        #expect(fault { $0[3] = 2 } == .unknownVersion(2))
        #expect(fault { $0[11] = 0x7F } == .headerTooLarge(bytes: 0x7F00_0000 + count))
    }

    @Test func `features give points, multipoints and empty geometries`() throws {
        func points(_ bytes: [UInt8], type: UInt8 = 1) throws -> [[Double]] {
            var positions: [Double] = []
            _ = try FlatGeobufFeature(bytes.span, geometryType: type, positions: &positions)
            return stride(from: 0, to: positions.count, by: 2).map { Array(positions[$0..<$0 + 2]) }
        }
        #expect(try points(Bytes.feature([1, 2])) == [[1, 2]])
        #expect(try points(Bytes.feature([1, 2, 3, 4]), type: 4) == [[1, 2], [3, 4]])
        #expect(try points(Bytes.feature([1, 2], type: 1), type: 0) == [[1, 2]])
        #expect(try points(Bytes.feature([])).isEmpty)
        #expect(try points(Bytes.feature(nil)).isEmpty)
        #expect(throws: FlatGeobufFault.badCoordinateCount(4)) {
            try points(Bytes.feature([1, 2, 3, 4]))
        }
        #expect(throws: FlatGeobufFault.badCoordinateCount(3)) {
            try points(Bytes.feature([1, 2, 3]), type: 4)
        }
        #expect(throws: FlatGeobufFault.badCoordinateCount(7)) {
            try points(Bytes.feature([1, 2, 3, 4, 5, 6, 7]), type: 4)
        }
        #expect(throws: FlatGeobufFault.notPoints("Polygon")) {
            try points(Bytes.feature([1, 2]), type: 3)
        }
        #expect(throws: FlatGeobufFault.notPoints("LineString")) {
            try points(Bytes.feature([1, 2], type: 2), type: 0)
        }
    }

    @Test func `properties are found by their columns`() throws {
        let columns: [FlatGeobufColumn] = [
            .init(name: "n", kind: .int16), .init(name: "t", kind: .text),
            .init(name: "d", kind: .double),
        ]
        let properties: [UInt8] = [1, 0, 2, 0, 0, 0, 0x61, 0x62, 0, 0, 0xFE, 0xFF]
        let bytes = Bytes.feature([1, 2], properties: properties)
        var positions: [Double] = []
        let feature = try FlatGeobufFeature(bytes.span, geometryType: 1, positions: &positions)
        #expect(positions == [1, 2])
        var cursor = feature.makePropertyCursor()
        var seen: [String] = []
        while let property = try cursor.next(of: columns) {
            let value = property.column == 0 ? Int64(property.integer(Int16.self)) : 0
            seen.append("\(property.column) \(property.bytes.count) \(value)")
        }
        #expect(seen == ["1 2 0", "0 2 -2"])
    }

    @Test func `properties that end early or name no column are refused`() throws {
        let columns: [FlatGeobufColumn] = [.init(name: "t", kind: .text)]
        func fault(_ properties: [UInt8]) -> FlatGeobufFault? {
            let bytes = Bytes.feature([1, 2], properties: properties)
            return Self.fault {
                var positions: [Double] = []
                let feature = try FlatGeobufFeature(
                    bytes.span, geometryType: 1, positions: &positions)
                var cursor = feature.makePropertyCursor()
                while try cursor.next(of: columns) != nil {}
            }
        }
        #expect(fault([0, 0, 1, 0, 0, 0, 65]) == nil)
        #expect(fault([0]) == .truncatedProperties)
        #expect(fault([0, 0, 1, 0]) == .truncatedProperties)
        #expect(fault([0, 0, 2, 0, 0, 0, 65]) == .truncatedProperties)
        #expect(fault([1, 0, 0, 0, 0, 0]) == .noSuchColumn(1))
    }

    @Test func `an index that cannot be is refused`() {
        for (count, nodeSize) in [(UInt64.max, 16), (1 << 60, 2), (5, 1)] as [(UInt64, UInt16)] {
            let bytes = Bytes.header(count: count, nodeSize: nodeSize)
            let wanted = FlatGeobufFault.badIndexSize(nodeSize: Int(nodeSize), features: count)
            #expect(throws: wanted) { try FlatGeobufHeader(bytes.span) }
        }
    }

    private static let header = Bytes.header(
        columns: [Bytes.column("a", 5), Bytes.column("b", 11)], count: 5, code: 4326)
    private static let feature = Bytes.feature(
        [1, 2], type: 1, properties: [0, 0, 1, 2, 3, 4], columns: [Bytes.column("a", 5)])

    /// Nothing stands behind the last thing that a header or a feature says.
    @Test func `a header or a feature that is cut anywhere is refused`() {
        for count in 0..<Self.header.count {
            #expect(throws: FlatGeobufFault.self, "\(count) bytes") {
                try FlatGeobufHeader(Array(Self.header.prefix(count)).span)
            }
        }
        for count in 0..<Self.feature.count {
            #expect(throws: FlatGeobufFault.self, "\(count) bytes") {
                try PlainFeature(read: Array(Self.feature.prefix(count)))
            }
        }
    }

    /// Bytes of `whole` with up to three of them changed, often by little.
    private static func changed(_ whole: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var bytes = whole
        for _ in 0...Int.random(in: 0...2, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            bytes[place] =
                Bool.random(using: &random)
                ? UInt8.random(in: 0...255, using: &random)
                : bytes[place] &+ (Bool.random(using: &random) ? 1 : 255)
        }
        return bytes
    }

    @Test func `changed bytes say what a plain reading of the format says, or are refused`() {
        var random = SeededRandom(seed: 8)
        var (read, refused) = (0, 0)
        for _ in 0..<4_000 {
            let bytes = Self.changed(Self.feature, &random)
            let feature = try? PlainFeature(read: bytes)
            #expect(feature == PlainFeature(plainly: bytes), "\(bytes)")
            if feature == nil { refused += 1 } else { read += 1 }
            let other = Self.changed(Self.header, &random)
            #expect(
                (try? FlatGeobufHeader(other.span)) == FlatGeobufHeader(plainly: other),
                "\(other)")
        }
        #expect(read > 500 && refused > 500)
    }
}
