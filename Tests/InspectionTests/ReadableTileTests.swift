import ArchiveContract
import Foundation
import Geometry
import MessageTiles
import TestSupport
import Testing
import TileArchive
import VectorTile

@testable import Inspection

/// Tiles as they are shown: all that can be read of them, and what was wrong.
struct ReadableTileTests {
    private typealias Tile = MessageTiles.Tile

    /// Some layers with features of each kind, drawn by lot.
    private static func tile(seed: UInt64) -> Tile {
        var random = SeededRandom(seed: seed)
        func points(_ count: Int) -> [TilePoint] {
            (0..<count).map { _ in
                TilePoint(x: Int32(random.next() % 4_096), y: Int32(random.next() % 4_096))
            }
        }
        return Tile(
            layers: (0..<3).map { number in
                let geometries: [TileGeometry] = [
                    .points(points(1)), .points(points(3)), .lines([points(2), points(3)]),
                    .rings([points(4)]),
                ]
                return Tile.Layer(
                    name: "l\(number)",
                    features: geometries.enumerated().map { index, geometry in
                        Tile.Feature(
                            id: index == 1 ? nil : UInt64(index), geometry,
                            tags: [
                                .init("n", .uint(random.next() % 5)),
                                .init("t", .string("x\(index)")),
                            ])
                    })
            })
    }

    @Test(arguments: UInt64(0)..<10)
    func `a tile is shown as it was made`(seed: UInt64) {
        let made = Self.tile(seed: seed)
        let shown = ReadableTile(made.packed().span)
        #expect(shown.fault == nil && shown.skipped.isEmpty)
        #expect(shown.layers.map(\.name) == made.layers.map(\.name))
        for (layer, wanted) in zip(shown.layers, made.layers) {
            #expect(layer.extent == wanted.extent && layer.version == wanted.version)
            #expect(layer.features.map(\.id) == wanted.features.map(\.id))
            #expect(layer.features.map(\.type) == wanted.features.map(\.type))
            #expect(layer.features.map(\.tags) == wanted.features.map(\.tags))
            for (feature, source) in zip(layer.features, wanted.features) {
                let again = feature.geometry.map { Tile.Feature(id: nil, $0).geometry }
                #expect(again == source.geometry)
            }
        }
    }

    @Test func `of a tile that is cut short what comes before is shown, and that it is cut`() {
        let bytes = Self.tile(seed: 3).packed()
        let whole = ReadableTile(bytes.span)
        var ends: Set<Int> = []
        for end in 0..<bytes.count {
            let cut = ReadableTile(Array(bytes[..<end]).span)
            #expect(cut.layers.count <= whole.layers.count)
            if cut.fault == nil {
                // Between two layers there is nothing to miss.
                ends.insert(cut.layers.count)
                #expect(cut.layers.map(\.features.count).allSatisfy { $0 == 4 })
            }
        }
        #expect(ends == [0, 1, 2])
    }

    @Test func `a geometry that breaks a rule is told, and the features beside it are shown`() {
        var made = Self.tile(seed: 4)
        // One point's count with no numbers behind it.
        made.layers[1].features[2].geometry = [9]
        let shown = ReadableTile(made.packed().span)
        #expect(shown.fault == nil && shown.skipped.count == 1)
        #expect(shown.layers.map(\.features.count) == [4, 4, 4])
        let known = shown.layers[1].features.map { $0.geometry != nil }
        #expect(known == [true, true, false, true])
    }
}
