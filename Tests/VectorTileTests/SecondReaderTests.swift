import MessageTiles
import TestSupport
import Testing
import VectorTile

/// What protobuf-c and the reader in place disagree about.
struct SecondReaderTests {
    private static let head: [Tile.Tag] = [.init("name", .string("Bern")), .init("n", .uint(7))]

    /// Two layers of a few features; every part of it is changed below.
    private static let whole = Tile(layers: [
        .init(
            name: "a",
            features: [
                .init(id: 7, .points([.init(x: 25, y: 17)]), tags: head),
                .init(id: 8, .points([.init(x: 3, y: 4)]), tags: [head[1]]),
            ]),
        .init(name: "b", features: [.init(id: 1, .points([.init(x: 1, y: 1)]), tags: head)]),
    ])

    @Test func `random tiles are the same to both`() {
        var random = SeededRandom(seed: 31)
        var reader = SecondReader()
        for _ in 0..<300 {
            let bytes = Tile.random(using: &random).packed()
            #expect(reader.difference(in: bytes.span) == nil)
        }
    }

    @Test(
        arguments: [
            (ReadingDifference.Part.layerCount, nil, nil),
            (.layerHead, 0, nil), (.keys, 0, nil), (.values, 0, nil), (.featureCount, 1, nil),
            (.featureHead, 0, 1), (.tags, 0, 1), (.geometry, 0, 0),
        ] as [(ReadingDifference.Part, Int?, Int?)])
    func `each part that differs is named`(
        part: ReadingDifference.Part, layer: Int?, feature: Int?
    ) {
        for other in Self.changed(part) {
            var reader = SecondReader()
            for (a, b) in [(Self.whole, other), (other, Self.whole)] {
                let found = reader.difference(between: a.packed().span, unpacked: b.packed().span)
                #expect(found?.part == part)
                #expect(found?.layer == layer && found?.feature == feature)
            }
        }
    }

    private static func tile(_ change: (inout Tile) -> Void) -> Tile {
        var tile = whole
        change(&tile)
        return tile
    }

    /// The tile with one part changed, each way in which it can differ.
    private static func changed(_ part: ReadingDifference.Part) -> [Tile] {
        switch part {
        case .refused, .memory: return []
        case .layerCount: return [tile { $0.layers.append(.init(name: "c")) }]
        case .layerHead:
            return [
                tile { $0.layers[0].name = "x" }, tile { $0.layers[0].version = 1 },
                tile { $0.layers[0].extent = 512 }, tile { $0.layers[0].name = "ab" },
            ]
        case .keys: return [tile { $0.layers[0].features[0].tags[0].key = "nama" }]
        case .values:
            return [
                tile { $0.layers[0].features[0].tags[0].value = .string("Bers") },
                tile { $0.layers[0].features[0].tags[1].value = .sint(7) },
                tile { $0.layers[0].features[0].tags[1].value = .uint(8) },
            ]
        case .featureCount:
            return [tile { $0.layers[1].features.append(.init(.points([.init(x: 0, y: 0)]))) }]
        case .featureHead:
            return [
                tile { $0.layers[0].features[1].id = 9 },
                tile { $0.layers[0].features[1].id = nil },
                tile { $0.layers[0].features[1].type = .unknown },
            ]
        case .tags:
            // The second feature decides: the first one's tags say what the lists hold.
            return [
                tile { $0.layers[0].features[1].tags = [] },
                tile { $0.layers[0].features[1].tags = [head[0]] },
                tile { $0.layers[0].features[1].tags = head },
            ]
        case .geometry:
            return [
                tile { $0.layers[0].features[0].geometry[2] = 3 },
                tile { $0.layers[0].features[0].geometry = [17, 50, 34, 0, 0] },
            ]
        }
    }

    @Test func `a tile that protobuf-c refuses is a difference only where the other reads it`() {
        var reader = SecondReader()
        let whole = Self.whole.packed()
        let cut = Array(whole.dropLast())
        #expect(reader.difference(between: whole.span, unpacked: cut.span)?.part == .refused)
        #expect(reader.difference(in: cut.span) == nil)
        #expect(reader.difference(between: cut.span, unpacked: whole.span) == nil)
    }

    @Test func `memory is bounded, and given back with each tile`() {
        var random = SeededRandom(seed: 32)
        let features = (0..<2_000).map { _ in Tile.Feature.random(using: &random) }
        let large = Tile(layers: [.init(name: "l", features: features)]).packed()
        var reader = SecondReader(memory: 100_000)
        #expect(reader.difference(in: large.span)?.part == .memory)
        for _ in 0..<50 { #expect(reader.difference(in: Self.whole.packed().span) == nil) }
        #expect(reader.difference(in: large.span)?.part == .memory)
    }

    @Test func `bytes that are no tile, or were changed at random, end in an answer`() {
        var random = SeededRandom(seed: 33)
        var reader = SecondReader()
        for _ in 0..<1_000 {
            var bytes = Tile.random(using: &random).packed()
            guard !bytes.isEmpty else { continue }
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[.random(in: bytes.indices, using: &random)] = UInt8(random.next() & 255)
            }
            #expect(reader.difference(in: bytes.span) == nil)
        }
    }
}
