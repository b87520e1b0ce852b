import Geometry
import JSON
import TestSupport
import Testing

@testable import TileArchive

/// Each number of a header, against what the metadata say.
struct PMTilesHeaderTests {
    private struct Said {
        var metadata = ArchiveMetadata(name: "a")
        var zooms: (UInt8, UInt8) = (0, 0)

        init(seed: UInt64) {
            var random = SeededRandom(seed: seed)
            let zoom = UInt8(random.next() % 10)
            zooms = (zoom, zoom + UInt8(random.next() % 6))
            let (a, b) = (random.unit() * 360 - 180, random.unit() * 360 - 180)
            let (c, d) = (random.unit() * 170 - 85, random.unit() * 170 - 85)
            if seed % 5 > 0 {
                // Over the antimeridian, or not; and without width or height.
                metadata.bounds = LonLatBox(
                    west: seed % 7 == 0 ? b : a, south: min(c, d), east: b,
                    north: seed % 6 == 0 ? min(c, d) : max(c, d))
            }
            if seed % 3 > 0 { metadata.center = LonLat(longitude: b, latitude: d) }
            if seed % 4 > 0 { metadata.centerZoom = UInt8(random.next() % 20) }
        }

        var header: PMTilesHeader {
            var header = PMTilesHeader()
            (header.minZoom, header.maxZoom) = zooms
            header.describe(metadata)
            return header
        }
    }

    private static func units(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }

    @Test(arguments: UInt64(1)...120)
    func `a header says where the tiles lie and where a map opens`(seed: UInt64) {
        let said = Said(seed: seed)
        let header = said.header
        if let box = said.metadata.bounds {
            let isBelt = box.crossesAntimeridian
            for (index, degrees, other) in [
                (0, isBelt ? -180 : box.west, isBelt ? 180 : box.east),
                (1, box.south, box.north),
            ] {
                let margin: Int32 = degrees == other ? 10 : 0
                #expect(header.bounds[index] == Self.units(degrees) - margin)
                #expect(header.bounds[index + 2] == Self.units(other) + margin)
            }
        } else {
            #expect(header.bounds == PMTilesHeader().bounds)
        }
        let middle = (0...1).map { index in
            (Double(header.bounds[index]) + Double(header.bounds[index + 2])) / 2
        }
        let wanted = said.metadata.center.map { [$0.longitude * 1e7, $0.latitude * 1e7] } ?? middle
        for (found, expected) in zip(header.center, wanted) {
            #expect(abs(Double(found) - expected) <= 1)
        }
        let zoom = said.metadata.centerZoom ?? said.zooms.0
        #expect(header.centerZoom == min(max(zoom, said.zooms.0), said.zooms.1))
    }

    @Test(arguments: UInt64(1)...60)
    func `metadata come back from a header as far as it can say them`(seed: UInt64) {
        let said = Said(seed: seed)
        let (found, warnings) = ArchiveMetadata.pmtiles(said.metadata.pmtilesJSON, said.header)
        #expect(warnings.isEmpty && found.name == "a" && found.format == "pbf")
        #expect(found.minZoom == said.zooms.0 && found.maxZoom == said.zooms.1)
        #expect(found.centerZoom == said.header.centerZoom)
        let box = found.bounds
        if let wanted = said.metadata.bounds, !wanted.crossesAntimeridian {
            #expect(abs((box?.west ?? 999) - wanted.west) < 2e-6)
            #expect(abs((box?.south ?? 999) - wanted.south) < 2e-6)
            #expect(abs((box?.east ?? 999) - wanted.east) < 2e-6)
            #expect(abs((box?.north ?? 999) - wanted.north) < 2e-6)
        }
        if let center = said.metadata.center {
            #expect(abs((found.center?.longitude ?? 999) - center.longitude) < 2e-7)
            #expect(abs((found.center?.latitude ?? 999) - center.latitude) < 2e-7)
        }
    }

    @Test func `layers that are told as MBTiles tell them are read, if there are no others`() {
        let text = #"{"vector_layers":[{"id":"a","fields":{}}],"tilestats":{"layerCount":1}}"#
        var header = PMTilesHeader()
        header.tileType = .mvt
        func read(_ json: JSONValue) -> (ArchiveMetadata, [ArchiveWarning]) {
            ArchiveMetadata.pmtiles(json, header)
        }
        let (found, warnings) = read(["name": "a", "json": .string(text)])
        #expect(found.vectorLayers.map(\.id) == ["a"] && found.tileStats == ["layerCount": 1])
        #expect(warnings.isEmpty && found.others.isEmpty)
        let own: JSONValue = [["id": "b", "fields": [:]]]
        let (both, _) = read(["json": .string(text), "vector_layers": own])
        #expect(both.vectorLayers.map(\.id) == ["b"] && both.tileStats == nil)
        #expect(read(["json": "{"]).1 == [.garbled(row: "json", value: "{")])
    }

    /// What a stranger may have written: as it is taken, or not at all.
    @Test func `a header whose numbers are out of range says nothing by them`() {
        func read(_ change: (inout PMTilesHeader) -> Void) -> ArchiveMetadata {
            var header = PMTilesHeader()
            (header.minZoom, header.maxZoom, header.centerZoom) = (1, 9, 4)
            header.bounds = [-1_800_000_000, -900_000_000, 1_800_000_000, 900_000_000]
            header.center = [1_800_000_000, -900_000_000]
            change(&header)
            return ArchiveMetadata.pmtiles(["name": "a"], header).0
        }
        let usual = read { _ in }
        #expect(usual.bounds == LonLatBox(west: -180, south: -90, east: 180, north: 90))
        #expect(usual.center == LonLat(longitude: 180, latitude: -90) && usual.centerZoom == 4)
        for (index, number) in [
            (0, -1_800_000_001), (0, 1_800_000_001), (1, -900_000_001), (1, 900_000_001),
            (2, 1_800_000_001), (2, -1_800_000_001), (3, 900_000_001), (3, -900_000_001),
        ] as [(Int, Int32)] {
            #expect(read { $0.bounds[index] = number }.bounds == nil)
        }
        #expect(read { $0.bounds = [0, 5, 0, 5] }.bounds != nil)
        #expect(read { $0.bounds = [0, 6, 0, 5] }.bounds == nil)
        // East of the west is over the antimeridian.
        #expect(read { $0.bounds = [7, 5, 6, 5] }.bounds?.crossesAntimeridian == true)
        for (index, number) in [(0, 1_800_000_001), (0, -1_800_000_001), (1, 900_000_001)]
            as [(Int, Int32)]
        {
            let found = read { $0.center[index] = number }
            #expect(found.center == nil && found.centerZoom == nil)
        }
        let deepest = TileID.deepestZoom
        #expect(read { $0.centerZoom = deepest }.centerZoom == deepest)
        #expect(read { $0.centerZoom = deepest + 1 }.centerZoom == nil)
        #expect(read { $0.maxZoom = deepest }.maxZoom == deepest)
        #expect(read { $0.maxZoom = deepest + 1 }.maxZoom == nil)
        #expect(read { $0.minZoom = 9 }.minZoom == 9)
        #expect(read { $0.minZoom = 10 }.minZoom == nil)
    }
}
