import Foundation
import MessageTiles
import Testing
import VectorTile

/// What the fixtures say of themselves: tiles, valid and broken, that readers are tried with.
struct FixtureTests {
    /// What is wrong with each broken tile. 016 holds the same bytes as 003: its missing type is
    /// read as "unknown", which readers may use, and still is a finding.
    static let rules: [String: TileRule] = [
        "003": .missingType, "004": .missingGeometry, "005": .oddTagCount, "006": .unknownType,
        "007": .wrongWireType, "008": .wrongWireType, "010": .wrongWireType, "011": .badValue,
        "012": .unknownVersion, "013": .wrongWireType, "014": .missingName,
        "015": .duplicateLayerName, "023": .missingName, "024": .missingVersion,
        "026": .badValue, "030": .repeatedGeometry, "040": .tagOutOfRange,
    ]

    @Test func `there are fixtures`() {
        #expect(Fixture.all.count == 37)
        #expect(Set(Fixture.all.filter { !$0.info.valid }.map(\.name)) == Set(Self.rules.keys))
    }

    @Test(arguments: Fixture.all)
    func `the validator names the rule that a tile breaks, in its class`(fixture: Fixture) throws {
        var validator = TileValidator()
        let findings = try validator.findings(in: fixture.bytes.span)
            .filter { $0.severity != .advice }
        if let rule = Self.rules[fixture.name] {
            #expect(findings.map(\.rule) == [rule])
            #expect(findings.first?.severity.rawValue == fixture.info.fault)
        } else if fixture.name == "016" {
            #expect(findings.map(\.rule) == [.missingType])
        } else {
            #expect(findings.isEmpty)
        }
    }

    @Test(arguments: Fixture.all)
    func `a tile with a fatal fault is refused by both readers`(fixture: Fixture) throws {
        guard fixture.info.fault == "fatal" else { return }
        let rule = try #require(Self.rules[fixture.name])
        func isRule(_ error: TileError) -> Bool {
            if case .broken(let found, _) = error { found == rule } else { false }
        }
        #expect { try Tile(fixture.bytes.span) } throws: { isRule($0 as! TileError) }
        #expect { try Tile(inPlace: fixture.bytes.span) } throws: { isRule($0 as! TileError) }
    }

    @Test(arguments: Fixture.all)
    func `of a tile with a recoverable fault the rest is read`(fixture: Fixture) throws {
        guard fixture.info.fault == "recoverable" else { return }
        var skipped: [TileError] = []
        let tile = try Tile(fixture.bytes.span, skipped: &skipped)
        let allIsRead = ["003", "015"].contains(fixture.name)
        #expect(skipped.count == (allIsRead ? 0 : 1))
        #expect(tile.layers.count == (fixture.name == "015" ? 2 : 1))
        #expect(tile.layers.allSatisfy { $0.features.count == (allIsRead ? 1 : 0) })
    }

    @Test(arguments: Fixture.all)
    func `a valid tile holds what it should, and still does when written again`(
        fixture: Fixture
    ) throws {
        guard fixture.info.valid else { return }
        let tile = try Tile(fixture.bytes.span)
        #expect(tile == fixture.content)
        #expect(try Tile(inPlace: fixture.bytes.span) == tile)
        #expect(try Tile(tile.packed().span) == tile)
        let geometries = try geometries(in: fixture.bytes)
        #expect(geometries.map(\.integers) == tile.layers.flatMap(\.features).map(\.geometry))
    }

    private func geometries(in bytes: [UInt8]) throws -> [TileGeometry] {
        var geometries: [TileGeometry] = []
        var reader = try TileReader(bytes.span)
        while let layer = try reader.nextLayer() {
            var features = layer.features()
            while let feature = try features.next() { geometries.append(try feature.geometry()) }
        }
        return geometries
    }
}
