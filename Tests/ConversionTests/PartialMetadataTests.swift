import ArchiveContract
import Geometry
import JSON
import TestSupport
import Testing
import TileArchive

@testable import Conversion

/// What a part of an archive says of itself, held against the tiles that it has.
struct PartialMetadataTests {
    @Test(arguments: 0..<20)
    func `a report's numbers are those of the tiles`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let least = UInt8(random.next() % 4)
        let tiles = (0..<40).map { _ in
            let zoom = UInt8.random(in: least...6, using: &random)
            let last = UInt32(1) << UInt32(zoom) - 1
            return TileID(
                z: zoom, x: .random(in: 0...last, using: &random),
                y: .random(in: 0...last, using: &random))
        }
        var report = ConversionReport()
        #expect(report.zooms == nil && report.deepestBox == nil)
        for (index, tile) in tiles.enumerated() { report.include(TileGroup(tile), bytes: index) }
        let zooms = tiles.map { Int($0.z) }
        let range = try #require(zooms.min())...(try #require(zooms.max()))
        #expect(report.tiles == 40 && report.bytes == 780 && report.zooms == range)
        let boxes = tiles.filter { Int($0.z) == range.upperBound }.map(\.box)
        #expect(report.deepestBox?.west == boxes.map(\.west).min())
        #expect(report.deepestBox?.east == boxes.map(\.east).max())
        #expect(report.deepestBox?.south == boxes.map(\.south).min())
        #expect(report.deepestBox?.north == boxes.map(\.north).max())
        let json = report.json.asObject
        #expect(json?["min_zoom"] == .integer(Int64(range.lowerBound)))
        #expect(
            json?["max_zoom"] == .integer(Int64(range.upperBound)) && json?["tile_bytes"] == 780)
    }

    private static func source() -> ArchiveMetadata {
        var metadata = ArchiveMetadata(name: "all")
        (metadata.minZoom, metadata.maxZoom) = (1, 9)
        metadata.bounds = LonLatBox(west: -20, south: -30, east: 40, north: 50)
        metadata.center = LonLat(longitude: 1, latitude: 2)
        metadata.centerZoom = 5
        metadata.tilesHash = "hash"
        metadata.tileStats = ["layerCount": 3]
        metadata.vectorLayers = [("low", 1, 3), ("high", 6, 9), ("all", 1, 9)].map {
            VectorLayer(id: $0.0, fields: [], minZoom: $0.1, maxZoom: $0.2)
        }
        metadata.covey = ["layers": [], "blocks": ["count": 3]]
        return metadata
    }

    private static func rewritten(
        zooms: ClosedRange<UInt8>, _ selection: TileSelection, describes: Bool = true
    ) -> (ArchiveMetadata, ConversionReport) {
        var report = ConversionReport()
        for zoom in zooms { report.include(TileGroup(TileID(z: zoom, x: 0, y: 0)), bytes: 1) }
        let partial = PartialMetadata(
            source: source(), selection: selection, describesClusters: describes, blocks: nil)
        return (partial.rewritten(&report), report)
    }

    @Test(
        arguments: [
            (1, 9, ["low 1 3", "high 6 9", "all 1 9"], false),
            (1, 8, ["low 1 3", "high 6 8", "all 1 8"], true),
            (2, 9, ["low 2 3", "high 6 9", "all 2 9"], true),
            (3, 6, ["low 3 3", "high 6 6", "all 3 6"], true),
            (4, 5, ["all 4 5"], true), (7, 7, ["high 7 7", "all 7 7"], true),
        ] as [(UInt8, UInt8, [String], Bool)])
    func `zooms that are left out are left out everywhere`(
        first: UInt8, last: UInt8, layers: [String], isPart: Bool
    ) {
        let (part, report) = Self.rewritten(zooms: first...last, TileSelection())
        #expect(part.minZoom == first && part.maxZoom == last && part.tilesHash == nil)
        let said = part.vectorLayers.map { "\($0.id) \($0.minZoom ?? 99) \($0.maxZoom ?? 99)" }
        #expect(said == layers)
        #expect(part.centerZoom == min(max(5, first), last))
        #expect((part.tileStats == nil) == isPart && report.notes.isEmpty == !isPart)
        #expect(part.bounds == Self.source().bounds && part.center == Self.source().center)
        #expect(part.covey == ["layers": []])
    }

    @Test func `a box is cut to what was said, and the center lies in it`() {
        let said = LonLatBox(west: -20, south: -30, east: 40, north: 50)
        for (box, bounds, center) in [
            (
                LonLatBox(west: -50, south: -40, east: 10, north: 20),
                LonLatBox(west: -20, south: -30, east: 10, north: 20), nil
            ),
            (
                LonLatBox(west: 5, south: 10, east: 60, north: 80),
                LonLatBox(west: 5, south: 10, east: 40, north: 50),
                LonLat(longitude: 22.5, latitude: 30)
            ),
            // Nothing in common, to the north and to the south; and one that comes in two parts.
            (
                LonLatBox(west: -10, south: -80, east: 10, north: -40),
                LonLatBox(west: -10, south: -80, east: 10, north: -40),
                LonLat(longitude: 0, latitude: -60)
            ),
            (
                LonLatBox(west: 50, south: 60, east: 60, north: 70),
                LonLatBox(west: 50, south: 60, east: 60, north: 70),
                LonLat(longitude: 55, latitude: 65)
            ),
            (
                LonLatBox(west: 170, south: -10, east: -170, north: 60),
                LonLatBox(west: 170, south: -10, east: -170, north: 50), nil
            ),
        ] as [(LonLatBox, LonLatBox, LonLat?)] {
            let (part, report) = Self.rewritten(
                zooms: 1...9, TileSelection(box: box), describes: false)
            #expect(part.bounds == bounds && part.covey == nil && part.tileStats == nil)
            #expect(report.notes.count == 1)
            if let center { #expect(abs((part.center?.longitude ?? 0) - center.longitude) < 1e-9) }
            if bounds.contains(LonLat(longitude: 1, latitude: 2)) {
                #expect(part.center == LonLat(longitude: 1, latitude: 2))
            }
            if let found = part.center { #expect(bounds.contains(found)) }
        }
        #expect(said == Self.source().bounds)
    }

    @Test func `a selection has the tiles that its box touches, at its zooms`() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<40 {
            let (a, b) = (random.unit() * 360 - 180, random.unit() * 360 - 180)
            let (c, d) = (random.unit() * 160 - 80, random.unit() * 160 - 80)
            let box = LonLatBox(west: a, south: min(c, d), east: b, north: max(c, d))
            let selection = TileSelection(zooms: 1...4, box: box)
            for zoom in UInt8(0)...5 {
                for x in 0..<UInt32(1) << UInt32(zoom) {
                    for y in 0..<UInt32(1) << UInt32(zoom) {
                        let tile = TileID(z: zoom, x: x, y: y)
                        let touches = (1...4).contains(zoom) && Self.touch(tile.box, box)
                        #expect(selection.contains(tile) == touches)
                    }
                }
            }
        }
        #expect(TileSelection(zooms: 2...3).contains(TileID(z: 3, x: 7, y: 7)))
    }

    private static func touch(_ tile: LonLatBox, _ box: LonLatBox) -> Bool {
        guard tile.south < box.north, tile.north > box.south else { return false }
        return box.crossesAntimeridian
            ? tile.east > box.west || tile.west < box.east
            : tile.east > box.west && tile.west < box.east
    }

    @Test func `how hard tiles are packed is what their build was told, or what is usual`() {
        var metadata = ArchiveMetadata(name: "a")
        #expect(metadata.builtCompression == PackingLevel.usual)
        for (options, level) in [
            (#"{"tiles":{"compression":4}}"#, 4), (#"{"tiles":{"compression":40}}"#, 12),
            (#"{"tiles":{"compression":-1}}"#, 0), (#"{"tiles":{}}"#, PackingLevel.usual),
            ("{", PackingLevel.usual),
        ] {
            metadata.generatorOptions = options
            #expect(metadata.builtCompression == level)
        }
    }
}
