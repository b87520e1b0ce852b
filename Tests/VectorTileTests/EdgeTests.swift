import MessageTiles
import Testing
import VectorTile

/// Readers, validator and tables at their exact edges.
struct EdgeTests {
    private static let head: [UInt8] = [0x78, 2, 0x0A, 1, 0x6C]
    /// A key "k", a value 7, and the extent.
    private static let lists: [UInt8] = [0x1A, 1, 0x6B, 0x22, 2, 0x28, 7, 0x28, 0x80, 0x20]

    private func tile(feature: [UInt8]) -> [UInt8] {
        let layer = Self.head + [0x12, UInt8(feature.count)] + feature + Self.lists
        return [0x1A, UInt8(layer.count)] + layer
    }

    /// One point, and before it what is given.
    private func point(_ fields: [UInt8]) -> [UInt8] {
        tile(feature: fields + [0x18, 1, 0x22, 3, 9, 2, 4])
    }

    @Test func `a varint has ten bytes at most`() throws {
        let nine = [UInt8](repeating: 0xFF, count: 9)
        #expect(try Tile(point([0x08] + nine + [1]).span).layers[0].features[0].id == .max)
        #expect(TileFinding.fatal(in: point([0x08] + nine + [0x81, 0]))?.rule == .badVarint)
        // Bits past the 64th fall away.
        #expect(try Tile(point([0x08] + nine + [3]).span).layers[0].features[0].id == .max)
    }

    @Test func `packed varints have ten bytes at most too`() {
        let long = [UInt8](repeating: 0x80, count: 9)
        let ten = tile(feature: [0x18, 1, 0x22, 13, 9, 2] + long + [4] + [0])
        #expect(TileFinding.fatal(in: ten)?.rule != .badVarint)
        let eleven = tile(feature: [0x18, 1, 0x22, 13, 9, 2, 0x80] + long + [0])
        #expect(TileFinding.fatal(in: eleven)?.rule == .badVarint)
    }

    @Test(
        arguments: [
            ([0, 0], nil), ([1, 0], TileRule.tagOutOfRange), ([0, 1], .tagOutOfRange),
            ([0], .oddTagCount),
        ] as [([UInt8], TileRule?)])
    func `a tag names a key and a value that are there`(tags: [UInt8], rule: TileRule?) {
        let bytes = point([0x12, UInt8(tags.count)] + tags)
        var validator = TileValidator()
        let found = try? validator.findings(in: bytes.span)
        #expect(found?.map(\.rule) == rule.map { [$0] } ?? [])
        if rule == .tagOutOfRange {
            #expect(found?.first?.location == TileLocation(offset: 11, layer: 0, feature: 0))
        }
    }

    @Test(arguments: [([3, 3], [1]), ([3, 4, 4, 5], [2]), ([5, 3, 5], [2]), ([1, 2, 3], [])])
    func `an id that occurs twice is told with its feature`(ids: [UInt64], features: [Int]) throws {
        let content = Tile(layers: [
            .init(name: "l", features: ids.map { .init(id: $0, .points([.init(x: 1, y: 1)])) })
        ])
        let bytes = content.packed()
        var validator = TileValidator()
        let found = try validator.findings(in: bytes.span)
        #expect(found.map(\.rule) == features.map { _ in .duplicateID })
        #expect(found.map(\.location.feature) == features)
        // A feature here is ten bytes with its tag and length, behind the layer's head.
        #expect(found.map(\.location.offset) == features.map { 9 + 11 * $0 })
    }

    @Test func `small values of each type are kept apart`() throws {
        let values: [TileValue] =
            (0..<128).map { .uint($0) } + (-64..<64).map { .sint($0) }
            + (0..<128).map { .int($0) } + [.bool(true), .bool(false)]
        var builder = TileBuilder()
        let key = builder.key("k")
        builder.beginLayer("l")
        for _ in 0..<2 {
            for value in values {
                builder.beginPoint(id: nil, x: 0, y: 0)
                builder.addTag(key, value)
                builder.endFeature()
            }
        }
        builder.endLayer()
        let bytes = builder.copyBytes()
        var reader = try TileReader(bytes.span)
        var count = 0
        while let layer = try reader.nextLayer() { count = layer.valueCount }
        #expect(count == values.count)
        let found = try Tile(bytes.span).layers[0].features.map { $0.tags[0].value }
        #expect(found == values + values)
    }

    @Test func `faults behind a layer do not name it`() {
        let layer = Self.head + Self.lists
        let bytes = [0x1A, UInt8(layer.count)] + layer + [0x0B]
        let fault = TileFinding.fatal(in: bytes)
        #expect(fault?.rule == .badFieldTag && fault?.location.layer == nil)
        #expect(fault?.location.offset == bytes.count - 1)
    }

    @Test func `rings are told inside from outside by both axes`() throws {
        let outer: [TilePoint] = [
            .init(x: 0, y: 0), .init(x: 100, y: 0), .init(x: 100, y: 10), .init(x: 0, y: 10),
        ]
        func rules(_ hole: [TilePoint]) throws -> [TileRule] {
            let content = Tile(layers: [
                .init(name: "l", features: [.init(.rings([outer, hole]))])
            ])
            var validator = TileValidator()
            let bytes = content.packed()
            return try validator.findings(in: bytes.span).map(\.rule)
        }
        func hole(_ x: Int32, _ y: Int32) -> [TilePoint] {
            [.init(x: x, y: y), .init(x: x, y: y + 4), .init(x: x + 4, y: y + 4)]
        }
        #expect(try rules(hole(50, 3)) == [])
        #expect(try rules(hole(3, 50)) == [.interiorOutside])
        #expect(try rules(hole(150, 3)) == [.interiorOutside])
        #expect(try rules(hole(98, 3)) == [.crossingRing])
        #expect(try rules(hole(50, 8)) == [.crossingRing])
        // One corner on the outer ring's edge is enough, and its line's continuation is not.
        #expect(
            try rules([.init(x: 5, y: 10), .init(x: 3, y: 14), .init(x: 9, y: 14)]) == [])
        #expect(
            try rules([.init(x: 0, y: -8), .init(x: 0, y: -4), .init(x: 4, y: -4)])
                == [.interiorOutside])
        #expect(
            try rules([.init(x: 0, y: 5), .init(x: 50, y: 10), .init(x: 100, y: 5)]) == [])
    }

    @Test func `values of different types differ, whatever they say`() {
        let ones: [TileValue] = [
            .int(1), .uint(1), .sint(1), .float(1), .double(1), .bool(true), .string("1"),
        ]
        for (index, a) in ones.enumerated() {
            for (other, b) in ones.enumerated() { #expect((a == b) == (index == other)) }
        }
    }

    @Test func `what occurs twice in a list is told where it stands`() throws {
        func offsets(_ fields: [UInt8]) throws -> [Int] {
            let layer = Self.head + [0x28, 1] + fields
            let bytes = [0x1A, UInt8(layer.count)] + layer
            var validator = TileValidator()
            return try validator.findings(in: bytes.span).filter {
                $0.rule == .duplicateKey || $0.rule == .duplicateValue || $0.rule == .badText
            }.map(\.location.offset)
        }
        #expect(try offsets([0x1A, 1, 0x61, 0x1A, 1, 0x61]) == [14])
        #expect(try offsets([0x22, 2, 0x38, 1, 0x22, 2, 0x38, 1]) == [15])
        #expect(try offsets([0x1A, 1, 0xFF]) == [11])
        #expect(try offsets([0x22, 3, 0x0A, 1, 0x80]) == [11])
    }
}
