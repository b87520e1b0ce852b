import Compression
import Geometry
import MessageTiles
import TestSupport
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// Tiles of very many points and bytes: what is made of them while they are looked at.
struct LargeTileTests {
    private static let id = TileID(z: 4, x: 3, y: 5)

    private static func node(x: Int32, y: Int32) -> DrawnNode {
        DrawnNode(
            layer: 0, position: TilePoint(x: x, y: y), extent: 4_096, hasID: false, id: 0)
    }

    /// A tile of one layer with one point.
    private static func tile(_ layer: String) -> [UInt8] {
        Tile(layers: [.init(name: layer, features: [.init(.points([.init(x: 1, y: 1)]))])])
            .packed()
    }

    /// Counts nodes and holds none.
    private struct Counter: NodeSink {
        var layers = 0
        var nodes = 0

        mutating func begin(_ layer: borrowing LayerView, of tile: TileID) { layers += 1 }
        mutating func take(_ node: DrawnNode) { nodes += 1 }
    }

    @Test func `nodes are handed on one by one, and those of layers made of others are not`() {
        var conventions = TileConventions()
        conventions.companions = ["a_heat": .heat]
        var digester = TileDigester(takesFingerprints: true, conventions)
        let tile = Tile(
            layers: ["a", "a_heat", "b"].map { name in
                .init(
                    name: name,
                    features: (0..<3).map { .init(.points([.init(x: $0, y: 1)])) })
            })
        let opened = TileOpener().open(
            tile.packed()[...], of: TileGroup(Self.id))
        var (survey, counter) = (Survey(), Counter())
        #expect(digester.digest(opened, into: &survey, nodes: &counter) == nil)
        #expect(counter.layers == 2 && counter.nodes == 6)
        #expect(survey.zooms.map(\.points) == [6])
        var unwanted: Counter?
        #expect(digester.digest(opened, into: &survey, nodes: &unwanted) == nil)
    }

    @Test func `a tile that is not packed is not copied`() throws {
        let bytes = [UInt8](repeating: 1, count: 100)
        let opened = TileOpener().open(bytes[10...], of: TileGroup(Self.id))
        let own = try opened.inflated
        #expect(own.count == 90)
        let isSame = bytes[10...].withUnsafeBufferPointer { stored in
            own.withUnsafeBufferPointer { $0.baseAddress == stored.baseAddress }
        }
        #expect(isSame)
    }

    @Test(arguments: [true, false])
    func `of a tile with very many nodes that keep no spacing two are enough`(
        isTooNear: Bool
    ) throws {
        let facts = SpacingTests.facts(radius: isTooNear ? 60 : 0.01, wrap: false)
        var spaced = SpacedNodes(facts)
        let bytes = Self.tile("l")
        var reader = try TileReader(bytes.span)
        guard let layer = try reader.nextLayer() else { preconditionFailure("no layer") }
        let count = SpacingCheck.many + 10
        for _ in 0..<2 {
            spaced.begin(layer, of: Self.id)
            for number in 0..<Int32(count) {
                spaced.take(Self.node(x: number % 2_048, y: number / 2_048), in: Self.id)
            }
        }
        #expect(spaced.nodes.count == (isTooNear ? 4 : 2 * count))
        var check = SpacingCheck(facts)
        var findings = FindingList()
        check.include(spaced.nodes, &findings)
        check.finish(&findings)
        #expect(findings.all.map(\.code) == (isTooNear ? ["spacing"] : []))
    }

    @Test func `what a tile has in margins is summed by neighbour`() {
        let check = CopyCheck(buffer: 8)
        let neighbours = [(2, 4), (2, 5), (3, 4)].map { (x: UInt32, y: UInt32) in
            TileID(z: 4, x: x, y: y)
        }
        var margins = Margins(
            check: check, wanted: Set(neighbours.map(CopyCheck.bucket)), tile: Self.id)
        for _ in 0..<1_000 { margins.take(Self.node(x: 0, y: 0)) }
        #expect(Set(margins.sums.map(\.tile)) == Set(neighbours))
        #expect(margins.sums.count == 3)
        var one: UInt64 = 0
        check.visit(Self.node(x: 0, y: 0), in: Self.id) { _, entry in one = entry.amount }
        #expect(margins.sums.allSatisfy { $0.amount == 1_000 &* one })
        // Those of other tiles are not.
        margins = Margins(check: check, wanted: [], tile: Self.id)
        margins.take(Self.node(x: 0, y: 0))
        #expect(margins.sums.isEmpty)
    }
}
