import PointInput
import TestSupport
import Testing

struct BinaryGeometryTests {
    static func read(_ bytes: [UInt8]) throws(BinaryGeometryFault) -> BinaryGeometry {
        var geometry = BinaryGeometry()
        try geometry.read(bytes.span)
        return geometry
    }

    @Test func `a point is read from its exact bytes in both byte orders`() throws {
        let little: [UInt8] =
            [1, 1, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0xF0, 0x3F] + [0, 0, 0, 0, 0, 0, 0, 0xC0]
        let big: [UInt8] =
            [0, 0, 0, 0, 1] + [0x3F, 0xF0, 0, 0, 0, 0, 0, 0] + [0xC0, 0, 0, 0, 0, 0, 0, 0]
        for bytes in [little, big] {
            let geometry = try Self.read(bytes)
            #expect(geometry.positions == [1, -2])
            #expect(geometry.referenceSystem == nil)
        }
    }

    @Test func `height and measure are passed over in ISO and in extended WKB`() throws {
        for (type, extra) in [
            (1001, 1), (2001, 1), (3001, 2), (0x8000_0001, 1), (0x4000_0001, 1), (0xC000_0001, 2),
        ] as [(UInt32, Int)] {
            let bytes = WKB.point(3, 4, type: type, extra: extra)
            #expect(try Self.read(bytes).positions == [3, 4])
            #expect(throws: BinaryGeometryFault.truncated(offset: bytes.count - 1)) {
                try Self.read(bytes.dropLast())
            }
            #expect(throws: BinaryGeometryFault.bytesLeftOver(offset: bytes.count)) {
                try Self.read(bytes + [0])
            }
        }
    }

    @Test func `extended WKB and GeoPackage geometries name their reference system`() throws {
        let extended: [UInt8] =
            [1] + WKB.bytes(UInt32(0x2000_0001)) + WKB.bytes(UInt32(3857)) + WKB.xy(5, 6)
        #expect(try Self.read(extended).referenceSystem == 3857)
        #expect(try Self.read(extended).positions == [5, 6])
        for (kind, length) in [(0, 0), (1, 32), (2, 48), (3, 48), (4, 64)] as [(UInt8, Int)] {
            let header: [UInt8] =
                Array("GP".utf8) + [0, kind << 1 | 1] + WKB.bytes(UInt32(4326))
                + [UInt8](repeating: 7, count: length)
            let geometry = try Self.read(header + WKB.point(8, 9))
            #expect(geometry.referenceSystem == 4326)
            #expect(geometry.positions == [8, 9])
        }
    }

    @Test func `a multipoint gives each of its points and no empty one`() throws {
        let members = [WKB.point(1, 2), WKB.point(.nan, .nan), WKB.point(3, 4)]
        let geometry = try Self.read(WKB.multiPoint(members))
        #expect(geometry.positions == [1, 2, 3, 4])
        #expect(try Self.read(WKB.multiPoint([])).positions.isEmpty)
        #expect(try Self.read(WKB.point(.nan, .nan)).positions.isEmpty)
    }

    @Test func `other geometries are told by name`() {
        for (type, name) in [(2, "LineString"), (1003, "Polygon"), (7, "GeometryCollection")] {
            let bytes: [UInt8] = [1] + WKB.bytes(UInt32(type)) + [0, 0, 0, 0]
            #expect(throws: BinaryGeometryFault.notPoints(name)) { try Self.read(bytes) }
        }
        #expect(throws: BinaryGeometryFault.unknownType(99, offset: 0)) {
            try Self.read([1, 99, 0, 0, 0])
        }
        #expect(throws: BinaryGeometryFault.unknownByteOrder(0x50, offset: 0)) {
            try Self.read(Array("POINT (1 2)".utf8))
        }
        #expect(throws: BinaryGeometryFault.extendedGeoPackage) {
            try Self.read(Array("GP".utf8) + [0, 0x21, 0, 0, 0, 0])
        }
        #expect(throws: BinaryGeometryFault.memberIsNoPoint(offset: 9)) {
            try Self.read(WKB.multiPoint([WKB.multiPoint([]) + [UInt8](repeating: 0, count: 12)]))
        }
    }

    @Test func `a count past the bytes is refused before it is believed`() {
        let bytes: [UInt8] = [1, 4, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF] + WKB.point(1, 2)
        #expect(throws: BinaryGeometryFault.truncated(offset: bytes.count)) {
            try Self.read(bytes)
        }
    }

    @Test func `every cut and every changed byte is answered, never a crash`() {
        let header: [UInt8] = Array("GP".utf8) + [0, 1] + WKB.bytes(UInt32(4326))
        let members = [WKB.point(1, 2), WKB.point(3, 4, type: 1001, extra: 1)]
        let whole = header + WKB.multiPoint(members)
        for count in 0..<whole.count {
            #expect(throws: BinaryGeometryFault.self) { try Self.read(Array(whole.prefix(count))) }
        }
        var random = SeededRandom(seed: 11)
        var refused = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<3 {
                let place = Int(random.next() % UInt64(bytes.count))
                bytes[place] = UInt8(truncatingIfNeeded: random.next())
            }
            if (try? Self.read(bytes)) == nil { refused += 1 }
        }
        #expect(refused > 1_000 && refused < 20_000)
    }
}
