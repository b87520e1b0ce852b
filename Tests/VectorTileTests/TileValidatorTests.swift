import MessageTiles
import Testing

@testable import VectorTile

/// Tiles that break one rule each; `FixtureTests` has more.
struct TileValidatorTests {
    static let brokenGeometries: [(GeometryType, [UInt32], TileRule)] = [
        (GeometryType.point, [9, 2, 2, 9, 2, 2], TileRule.misplacedCommand),
        (.point, [10, 2, 2], .misplacedCommand),
        (.point, [1], .badCommandCount),
        (.point, [9, 2], .truncatedGeometry),
        (.point, [17, 2, 2], .truncatedGeometry),
        (.point, [12, 2, 2], .unknownCommand),
        (.point, [17, .max - 1, 0, 2, 0], .badParameter),
        (.lineString, [9, 2, 2], .truncatedGeometry),
        (.lineString, [17, 2, 2, 2, 2, 10, 2, 2], .badCommandCount),
        (.lineString, [9, 2, 2, 2], .badCommandCount),
        (.lineString, [9, 2, 2, 10, 0, 0], .zeroLengthLine),
        (.lineString, [9, 2, 2, 10, 2, 2, 15], .misplacedCommand),
        (.polygon, [9, 0, 0, 10, 2, 2, 15], .badCommandCount),
        (.polygon, [9, 0, 0, 18, 2, 0, 0, 2], .truncatedGeometry),
        (.polygon, [9, 0, 0, 18, 2, 0, 0, 2, 23], .badCommandCount),
    ]

    @Test(arguments: brokenGeometries)
    func `a broken geometry is found`(
        type: GeometryType, integers: [UInt32], rule: TileRule
    ) throws {
        #expect(try rules(.init(type: type, geometry: integers)) == [rule])
    }

    @Test func `what a tile of very many features took is not kept for the next`() throws {
        var layer: [UInt8] = [0x78, 2, 0x0A, 1, 0x61, 0x28, 0x80, 0x20]
        for id in 0..<40_000 {
            let id = [UInt8(id & 0x7F | 0x80), UInt8(id >> 7 & 0x7F | 0x80), UInt8(id >> 14)]
            layer += [0x12, 11, 0x08] + id + [0x18, 1, 0x22, 3, 9, 2, 2]
        }
        let size = layer.count
        let tile =
            [0x1A, UInt8(size & 0x7F | 0x80), UInt8(size >> 7 & 0x7F | 0x80), UInt8(size >> 14)]
            + layer
        var validator = TileValidator()
        #expect(try validator.findings(in: tile.span).isEmpty)
        #expect(validator.ids.capacity < 40_000)
    }

    /// Features of two bytes each: a small tile has millions.
    @Test func `so many findings are told of one tile, and the fatal one besides`() throws {
        let count = TileValidator.mostFindings + 5
        let head: [UInt8] = [0x78, 2, 0x0A, 1, 0x61, 0x28, 0x80, 0x20]
        func tile(_ end: [UInt8]) -> [UInt8] {
            let layer = head + Array(repeating: [0x12, 0] as [UInt8], count: count).joined() + end
            let length = UInt32(layer.count)
            return [0x1A]
                + [0, 7].map { UInt8(length >> $0 & 0x7F) | 0x80 } + [UInt8(length >> 14)] + layer
        }
        var validator = TileValidator()
        let found = try validator.findings(in: tile([]).span)
        #expect(found.count == TileValidator.mostFindings)
        #expect(found.allSatisfy { $0.severity != .fatal })
        // A feature that ends behind its layer.
        let cut = try validator.findings(in: tile([0x12, 9]).span)
        #expect(cut.last?.severity == .fatal)
    }

    @Test func `the positions at the ends of 32 bits can be reached`() throws {
        let corner = TileGeometry.points([.init(x: .min, y: .max)])
        #expect(try rules(.init(corner)) == [])
    }

    static let square = [(0, 0), (8, 0), (8, 8), (0, 8)]

    static let ringCases: [([[(Int, Int)]], [TileRule])] = [
        ([square], []),
        ([square, [(2, 2), (2, 4), (4, 4), (4, 2)]], []),
        ([[(0, 8), (8, 8), (8, 0), (0, 0)]], [TileRule.interiorRingFirst]),
        ([square, [(12, 2), (12, 4), (14, 4), (14, 2)]], [.interiorOutside]),
        ([square, [(2, 2), (2, 4), (12, 4), (12, 2)]], [.crossingRing]),
        ([[(0, 0), (8, 0), (0, 8), (8, 8), (4, 20)]], [.crossingRing]),
        ([[(0, 0), (8, 0), (8, 8), (4, 0)]], [.crossingRing]),
        ([square, square.map { ($0 + 4, $1 + 4) }], [.crossingRing]),
        ([square + [(0, 0)]], [.closedRing]),
    ]

    @Test(arguments: ringCases)
    func `rings are held against the rules of polygons`(
        rings: [[(Int, Int)]], expected: [TileRule]
    ) throws {
        let geometry = TileGeometry.rings(
            rings.map { $0.map { TilePoint(x: Int32($0.0), y: Int32($0.1)) } })
        #expect(try rules(.init(geometry)) == expected)
    }

    @Test func `a ring without area is found`() throws {
        let flat = TileGeometry.rings([[.init(x: 0, y: 0), .init(x: 5, y: 5), .init(x: 9, y: 9)]])
        #expect(try rules(.init(flat)).contains(.zeroAreaRing))
    }

    @Test func `version 1 has no rule for the direction of rings`() throws {
        let hole = TileGeometry.rings([[.init(x: 0, y: 8), .init(x: 8, y: 8), .init(x: 8, y: 0)]])
        #expect(try rules(.init(hole), version: 1) == [])
        #expect(try rules(.init(hole), version: 2) == [.interiorRingFirst])
    }

    @Test func `ids and keys that occur twice are found, whatever lies between them`() throws {
        let point = TileGeometry.points([.init(x: 1, y: 1)])
        let twice = [Tile.Tag("a", .int(1)), Tile.Tag("b", .int(1)), Tile.Tag("a", .int(2))]
        let behind = [Tile.Tag("a", .int(1)), Tile.Tag("b", .int(1)), Tile.Tag("b", .int(2))]
        let many = (0..<100).map { Tile.Tag("\($0)", .bool(true)) }
        let layer = Tile.Layer(
            name: "l",
            features: [
                .init(id: 9, point, tags: twice), .init(id: 3, point),
                .init(point, tags: many + [Tile.Tag("99", .bool(false))]), .init(id: 9, point),
                .init(point, tags: behind),
                .init(point, tags: many.prefix(64) + [Tile.Tag("61", .bool(false))]),
            ])
        let findings = try findings(in: Tile(layers: [layer]))
        #expect(
            findings.map(\.rule)
                == Array(repeating: .duplicateTagKey, count: 4) + [.duplicateID])
        #expect(findings.map(\.location.feature) == [0, 2, 4, 5, 3])
    }

    /// What follows version 2 and the name "l" in a layer.
    static let layerCases: [([UInt8], [TileRule])] = [
        ([0x28, 0x80, 0x20], [TileRule.noFeatures]),
        ([], [.missingExtent, .noFeatures]),
        ([0x28, 0], [.zeroExtent, .noFeatures]),
        ([0x28, 1, 0x28, 2], [.repeatedField, .noFeatures]),
        ([0x28, 1, 0x0A, 1, 0x6C], [.repeatedField, .noFeatures]),
        ([0x28, 1, 0x78, 2], [.repeatedField, .noFeatures]),
        ([0x28, 1, 0x28, 2, 0x0A, 1, 0x6C, 0x78, 2], [.repeatedField, .noFeatures]),
        ([0x28, 1, 0x1A, 1, 0x61, 0x1A, 1, 0x61], [.noFeatures, .duplicateKey]),
        ([0x28, 1, 0x1A, 1, 0xFF], [.noFeatures, .badText]),
        ([0x28, 1, 0x22, 2, 0x38, 1, 0x22, 2, 0x38, 1], [.noFeatures, .duplicateValue]),
        ([0x28, 1, 0x22, 2, 0x38, 1, 0x22, 2, 0x28, 1], [.noFeatures]),
        ([0x28, 1, 0x22, 3, 0x0A, 1, 0x80], [.noFeatures, .badText]),
        ([0x28, 1, 0x22, 0], [.badValue]),
        ([0x28, 1, 0x22, 4, 0x28, 1, 0x38, 1], [.badValue]),
        ([0x28, 1, 0x12, 6, 0x12, 0, 0x12, 0, 0x18, 1], [.repeatedTags]),
    ]

    @Test(arguments: layerCases)
    func `a broken layer is found`(fields: [UInt8], expected: [TileRule]) throws {
        let layer: [UInt8] = [0x78, 2, 0x0A, 1, 0x6C] + fields
        let tile = [0x1A, UInt8(layer.count)] + layer
        var validator = TileValidator()
        #expect(try validator.findings(in: tile.span).map(\.rule) == expected)
    }

    @Test func `every rule has its own text and a section`() {
        #expect(Set(TileRule.allCases.map(\.description)).count == TileRule.allCases.count)
        #expect(TileRule.allCases.allSatisfy { $0.section.first.map("24".contains) == true })
    }

    private func rules(_ feature: Tile.Feature, version: UInt32 = 2) throws -> [TileRule] {
        let layer = Tile.Layer(name: "l", version: version, features: [feature])
        return try findings(in: Tile(layers: [layer])).map(\.rule)
    }

    private func findings(in tile: Tile) throws -> [TileFinding] {
        var validator = TileValidator()
        return try validator.findings(in: tile.packed().span)
    }
}
