import MessageTiles
import TestSupport
import Testing
import VectorTile

/// Tiles that lie: nothing may crash, and every answer says where.
struct BadTileTests {
    @Test func `a tile that is cut short anywhere is refused or holds its first layers`() throws {
        var random = SeededRandom(seed: 11)
        var whole = Tile.random(using: &random)
        while whole.layers.count < 2 { whole = Tile.random(using: &random) }
        let bytes = whole.packed()
        let ends = (0...whole.layers.count).map {
            Tile(layers: Array(whole.layers.prefix($0))).packed().count
        }
        for length in 0..<bytes.count {
            let cut = Array(bytes.prefix(length))
            if let count = ends.firstIndex(of: length) {
                #expect(try Tile(cut.span).layers == Array(whole.layers.prefix(count)))
            } else {
                #expect(TileFinding.fatal(in: cut)?.rule == .truncated)
            }
        }
    }

    #if DEBUG
        static let changedTiles = 600
    #else
        static let changedTiles = 2_000
    #endif

    @Test func `a tile with random bytes changed reads the same both ways, or not at all`() {
        var random = SeededRandom(seed: 12)
        var read = 0
        for _ in 0..<Self.changedTiles {
            var bytes = Tile.random(using: &random).packed()
            guard !bytes.isEmpty else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[.random(in: bytes.indices, using: &random)] = UInt8(random.next() & 255)
            }
            guard let tile = try? Tile(bytes.span) else { continue }
            #expect((try? Tile(inPlace: bytes.span)) == tile)
            read += 1
        }
        #expect(read > Self.changedTiles / 20)
    }

    @Test func `readers that share an index see what each sees alone`() throws {
        var random = SeededRandom(seed: 13)
        var validator = TileValidator()
        var second = SecondReader()
        var broken = 0
        for round in 0..<Self.changedTiles {
            var bytes = Tile.random(using: &random).packed()
            for _ in 0..<round % 4 where !bytes.isEmpty {
                bytes[.random(in: bytes.indices, using: &random)] = UInt8(random.next() & 255)
            }
            let index = TileIndex(of: bytes.span)
            let findings = try validator.findings(in: bytes.span)
            #expect(try validator.findings(in: bytes.span, index) == findings)
            #expect(second.difference(in: bytes.span, index) == second.difference(in: bytes.span))
            broken += findings.contains { $0.severity == .fatal } ? 1 : 0
        }
        #expect(broken > Self.changedTiles / 10)
    }

    static let faults: [([UInt8], TileRule, Int)] = [
        ([0x1A, 5, 0x78, 2], TileRule.truncated, 1),
        ([0x1A, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F], .truncated, 1),
        ([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1], .badVarint, 0),
        ([0x1B], .badFieldTag, 0),
        ([0x02, 0], .badFieldTag, 0),
        ([0x18, 1], .wrongWireType, 0),
        ([0x1A, 0], .missingVersion, 2),
        ([0x1A, 11, 0x78, 2, 0x0A, 0, 0x12, 5, 0x22, 3, 9, 2, 0x82], .truncated, 13),
        ([0x1A, 12, 0x78, 2, 0x0A, 0, 0x12, 6, 0x22, 2, 9, 0x82, 0x22, 0], .truncated, 12),
        ([0x1A, 11, 0x78, 2, 0x0A, 0, 0x12, 5, 0x12, 3, 0, 0, 0x80], .truncated, 13),
        ([0x9A, 0x80, 0x80, 0x80, 0x80, 0, 0], .badFieldTag, 0),
        ([0x1A, 0x80, 0x80, 0x80, 0x80, 0x80, 0], .badVarint, 1),
        // A field's number with 30 bits.
        ([0x82, 0x80, 0x80, 0x80, 0x10, 0], .badFieldTag, 0),
    ]

    @Test(arguments: faults)
    func `a fault says where it is`(bytes: [UInt8], rule: TileRule, offset: Int) {
        let fault = TileFinding.fatal(in: bytes)
        #expect(fault?.rule == rule)
        #expect(fault?.location.offset == offset)
    }

    @Test func `an error cites layer, feature, offset and section`() throws {
        let tile = Tile(layers: [
            .init(name: "a"),
            .init(
                name: "b",
                features: [
                    .init(.points([.init(x: 1, y: 1)])), .init(type: .point, geometry: []),
                ]),
        ])
        var skipped: [TileError] = []
        _ = try Tile(tile.packed().span, skipped: &skipped)
        #expect(
            skipped.map(\.description) == [
                "the feature has no geometry (byte 28, layer 1, feature 1; MVT 4.2)"
            ])
    }

    @Test func `each limit is kept`() throws {
        let point = TileGeometry.points([.init(x: 1, y: 1), .init(x: 2, y: 2)])
        let tags = [Tile.Tag("a", .int(1)), Tile.Tag("b", .int(2))]
        let layer = Tile.Layer(name: "l", features: [.init(point, tags: tags), .init(point)])
        let bytes = Tile(layers: [layer, layer]).packed()
        #expect(refusal(of: bytes) { $0.bytes = bytes.count - 1 } == .bytes)
        #expect(refusal(of: bytes) { $0.layers = 1 } == .layers)
        #expect(refusal(of: bytes) { $0.features = 3 } == .features)
        #expect(refusal(of: bytes) { $0.keys = 3 } == .keys)
        #expect(refusal(of: bytes) { $0.values = 3 } == .values)
        #expect(refusal(of: bytes) { $0.geometryIntegers = 4 } == .geometryIntegers)
        #expect(refusal(of: bytes) { $0.memory = 1_000 } == .memory)
        let exact = refusal(of: bytes) {
            $0.bytes = bytes.count
            $0.layers = 2
            $0.features = 4
            $0.keys = 4
            $0.values = 4
            $0.geometryIntegers = 5
        }
        #expect(exact == nil)
    }

    @Test func `a geometry that promises more positions than it has takes no memory`() {
        // A MoveTo of 2^29 - 1 positions, and one position.
        let geometry: [UInt32] = [(1 << 29 - 1) << 3 | 1, 2, 2]
        let tile = Tile(layers: [
            .init(name: "l", features: [.init(type: .point, geometry: geometry)])
        ])
        #expect(throws: TileError.self) { try firstGeometry(in: tile.packed()) }
    }

    @Test func `features that can have no point are taken by thousands, not by the million`() {
        func tile(features: Int) -> [UInt8] {
            let layer: [UInt8] =
                [0x78, 2, 0x0A, 1, 0x61] + (0..<features).flatMap { _ in [0x12, 0] }
            let length = layer.count
            return [
                0x1A, UInt8(length & 127 | 128), UInt8(length >> 7 & 127 | 128),
                UInt8(length >> 14),
            ]
                + layer
        }
        #expect(refusal(of: tile(features: 9_000)) { _ in } == nil)
        #expect(refusal(of: tile(features: 100_000)) { _ in } == .features)
    }

    private func refusal(
        of bytes: [UInt8], _ restrict: (inout TileLimits) -> Void
    ) -> TileLimits.Kind? {
        var limits = TileLimits()
        restrict(&limits)
        do throws(TileError) {
            _ = try Tile(bytes.span, limits: limits)
            return nil
        } catch {
            guard case .tooLarge(let kind, _, _) = error else { return nil }
            return kind
        }
    }
}
