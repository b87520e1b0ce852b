import ArchiveContract
import Compression
import Geometry
import TestSupport
import Testing
import TileArchive
import VectorTile

@testable import Conversion

/// What metadata tell of tiles, held against a count over the features that they were made of.
struct DrawnFiguresTests {
    /// What is known of a layer.
    private struct Seen {
        var zooms: Set<UInt8> = []
        var kinds: [String: Set<String>] = [:]
    }

    /// Tiles of random features, and what they come to.
    private struct Sample {
        var batch = MovedTiles()
        var layers: [String: Seen] = [:]
        var places: [WorldPoint] = []

        init(seed: UInt64) {
            var builder = TileBuilder()
            var gzip = GzipCompressor(level: 1)
            var random = SeededRandom(seed: seed)
            for number in 0..<6 {
                let zoom = UInt8.random(in: 0...4, using: &random)
                let last = UInt32(1) << UInt32(zoom) - 1
                let tile = TileID(
                    z: zoom, x: .random(in: 0...last, using: &random),
                    y: .random(in: 0...last, using: &random))
                for name in ["p", "p_legs", "q"] where random.next() % 3 != 0 {
                    add(name, extent: [512, 4_096][number % 2], to: tile, &builder, &random)
                }
                let bytes = builder.copyBytes()
                builder.removeAll()
                // Packed and plain ones count alike.
                let stored = number % 2 == 0 ? bytes : gzip.compress(bytes.span)
                batch.append(tile, stored.span)
            }
        }

        private mutating func add(
            _ name: String, extent: UInt32, to tile: TileID, _ builder: inout TileBuilder,
            _ random: inout SeededRandom
        ) {
            builder.beginLayer(name, extent: extent, version: 2)
            let count = Int(random.next() % 4)
            for _ in 0..<count {
                let points = (0..<1 + Int(random.next() % 3)).map { _ in
                    // Often at an edge.
                    let all = [-1, 0, 1, Int32(extent) - 1, Int32(extent), Int32(extent) + 1, 100]
                    return TilePoint(
                        x: all.randomElement(using: &random)!,
                        y: all.randomElement(using: &random)!)
                }
                let isLine = points.count > 1 && random.next() % 2 == 0
                builder.beginFeature(id: nil, isLine ? .lines([points]) : .points(points))
                include(points, name, extent, tile)
                for key in ["a", "b", "c"] where random.next() % 2 == 0 {
                    let (value, kind) = Self.value(using: &random)
                    builder.addTag(builder.key(key), value)
                    layers[name, default: Seen()].kinds[key, default: []].insert(kind)
                }
                builder.endFeature()
            }
            builder.endLayer()
            if count > 0 { layers[name, default: Seen()].zooms.insert(tile.z) }
        }

        /// A single point is that of the tile that owns it; others may end at its edge.
        private mutating func include(
            _ points: [TilePoint], _ name: String, _ extent: UInt32, _ tile: TileID
        ) {
            if name == "p_legs", points.count > 1 { return }
            let most = Int32(extent) - (points.count == 1 ? 1 : 0)
            for point in points where (0...most) ~= point.x && (0...most) ~= point.y {
                let side = 1 / Double(UInt64(1) << UInt64(tile.z))
                places.append(
                    WorldPoint(
                        x: (Double(tile.x) + Double(point.x) / Double(extent)) * side,
                        y: (Double(tile.y) + Double(point.y) / Double(extent)) * side))
            }
        }

        private static func value(using random: inout SeededRandom) -> (TileValue, String) {
            let values: [(TileValue, String)] = [
                (.string("x"), "String"), (.bool(true), "Boolean"), (.int(-3), "Number"),
                (.sint(-3), "Number"), (.uint(3), "Number"), (.float(1.5), "Number"),
                (.double(2.5), "Number"),
            ]
            return values[Int(random.next() % 7)]
        }
    }

    /// An archive whose layer p has legs beside it.
    private static let spread = ToldArchive.archive(
        "a", [ToldArchive.layer("p") { $0.spread = 20 }])

    @Test(arguments: UInt64(0)..<60)
    func `boxes, zooms and types are those of the features`(seed: UInt64) throws {
        let sample = Sample(seed: seed)
        var reader = FigureReader(Self.spread)
        let figures = reader.figures(of: sample.batch)
        #expect(figures.box.isEmpty == sample.places.isEmpty)
        if !sample.places.isEmpty {
            let (xs, ys) = (sample.places.map(\.x), sample.places.map(\.y))
            for (found, wanted) in [
                (figures.box.minX, xs.min()), (figures.box.maxX, xs.max()),
                (figures.box.minY, ys.min()), (figures.box.maxY, ys.max()),
            ] { #expect(abs(found - (wanted ?? 9)) < 1e-12) }
        }
        let fields = ["a", "b", "c", "d"].map { VectorLayer.Field($0, .number) }
        for leavesTilesOut in [false, true] {
            var entries = ["none", "p", "p_legs", "q"].map {
                VectorLayer(id: $0, fields: fields, minZoom: 9, maxZoom: 10)
            }
            figures.describe(&entries, leavesTilesOut: leavesTilesOut)
            #expect(entries.map(\.id) == ["p", "p_legs", "q"].filter { sample.layers[$0] != nil })
            for entry in entries {
                let seen = try #require(sample.layers[entry.id])
                #expect(entry.minZoom == seen.zooms.min())
                #expect(entry.maxZoom == (leavesTilesOut ? 10 : seen.zooms.max()))
                let types = seen.kinds.mapValues { $0.count == 1 ? $0.first : "String" }
                #expect(entry.fields.map(\.name) == types.keys.sorted())
                for field in entry.fields { #expect(field.type == types[field.name]) }
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func `batches that are put together tell what one of all tells`(seed: UInt64) {
        let samples = [Sample(seed: seed), Sample(seed: seed + 100)]
        var reader = FigureReader(Self.spread)
        var merged = DrawnFigures()
        var whole = MovedTiles()
        for sample in samples {
            merged.merge(reader.figures(of: sample.batch))
            for (index, tile) in sample.batch.tiles.enumerated() {
                let bytes = sample.batch.bytes.span.extracting(sample.batch.range(at: index))
                whole.append(tile, bytes)
            }
        }
        let all = reader.figures(of: whole)
        #expect(merged.box == all.box)
        func described(_ figures: DrawnFigures) -> [VectorLayer] {
            var entries = ["p", "p_legs", "q"].map { name in
                VectorLayer(
                    id: name, fields: ["a", "b", "c"].map { .init($0, .boolean) }, minZoom: 0,
                    maxZoom: 9)
            }
            figures.describe(&entries, leavesTilesOut: false)
            return entries
        }
        #expect(described(merged) == described(all))
    }

    @Test func `of a tile that cannot be read counts what comes before the fault`() {
        var builder = TileBuilder()
        for (name, x) in [("p", 1_024), ("q", 2_048)] as [(String, Int32)] {
            builder.beginLayer(name)
            builder.beginPoint(id: nil, x: x, y: 1_024)
            builder.endFeature()
            builder.endLayer()
        }
        let whole = builder.copyBytes()
        var gzip = GzipCompressor(level: 1)
        let packed = gzip.compress(whole.span)
        let cut = (Array(whole.dropLast(3)), Array(packed.dropLast(9)))
        for (bytes, maxX) in [(whole, 0.5), (cut.0, 0.25), (cut.1, nil)] as [([UInt8], Double?)] {
            var batch = MovedTiles()
            batch.append(TileID(z: 0, x: 0, y: 0), bytes.span)
            var reader = FigureReader(Self.spread)
            let box = reader.figures(of: batch).box
            #expect(maxX.map { box.maxX == $0 && box.minX == 0.25 } ?? box.isEmpty)
        }
    }

    /// What a box cuts out is not described: legs are lines like others then.
    @Test func `legs count where nothing tells what they are`() {
        var builder = TileBuilder()
        builder.beginLayer("p_legs")
        let leg = [TilePoint(x: 0, y: 0), TilePoint(x: 1_024, y: 2_048)]
        builder.beginFeature(id: nil, .lines([leg]))
        builder.endFeature()
        builder.endLayer()
        var batch = MovedTiles()
        let bytes = builder.copyBytes()
        batch.append(TileID(z: 0, x: 0, y: 0), bytes.span)
        let untold = ToldArchive.archive("a", [ToldArchive.layer("p")])
        for (archive, isDrawn) in [(Self.spread, false), (untold, true)] {
            var reader = FigureReader(archive)
            #expect(reader.figures(of: batch).box.isEmpty == !isDrawn)
        }
    }
}
