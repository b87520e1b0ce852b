import ArchiveContract
import Geometry
import Inspection
import JSON
import Testing
import TileArchive
import VectorTile

/// Lists of tiles, nodes and features.
struct ListingTests {
    @Test(arguments: [
        (LonLatBox(west: -45, south: -40, east: 45, north: 40), [(3, 3), (3, 4), (4, 3), (4, 4)]),
        (LonLatBox(west: 0, south: 1, east: 0, north: 1), [(3, 3), (4, 3)]),
        (LonLatBox(west: 1, south: 0, east: 1, north: 0), [(4, 3), (4, 4)]),
        (LonLatBox(west: 179, south: 1, east: -179, north: 2), [(0, 3), (7, 3)]),
        (LonLatBox(west: 135, south: 1, east: -135, north: 2), [(0, 3), (1, 3), (6, 3), (7, 3)]),
        (LonLatBox(west: 1, south: 80, east: 2, north: 85), [(4, 0)]),
    ])
    func `a box touches the tiles that it shares a point with`(
        box: LonLatBox, expected: [(Int, Int)]
    ) throws {
        var touched: [[Int]] = []
        for x in 0..<8 {
            for y in 0..<8 where TileID(z: 3, x: UInt32(x), y: UInt32(y)).box.touches(box) {
                touched.append([x, y])
            }
        }
        let wanted = expected.map { [$0.0, $0.1] }
        // Edges belong to both sides, so boxes on an edge meet more.
        #expect(Set(touched).isSuperset(of: wanted))
        let inner = touched.filter { tile in
            let id = TileID(z: 3, x: UInt32(tile[0]), y: UInt32(tile[1])).box
            return id.south < box.north && id.north > box.south
                && (box.crossesAntimeridian
                    ? id.east > box.west || id.west < box.east
                    : id.east > box.west && id.west < box.east)
        }
        #expect(Set(inner).isSubset(of: wanted))
        #expect(touched.count <= wanted.count + 12)
    }

    @Test func `the heaviest tiles come in the order of size, equals in that of the archive`()
        throws
    {
        let built = try BuiltArchive(.layers)
        var all: [SizedTile] = []
        try built.archive.listTiles { all.append($0) }
        for count in [0, 1, 3, 10, all.count, all.count + 5] {
            let sorted = all.enumerated().sorted {
                ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset)
            }.map(\.element)
            #expect(try built.archive.heaviestTiles(count) == Array(sorted.prefix(count)))
        }
    }

    @Test func `zooms and boxes narrow a list`() throws {
        let built = try BuiltArchive(.layers)
        var all: [SizedTile] = []
        try built.archive.listTiles { all.append($0) }
        for zooms in [0...0, 1...2, 4...31] {
            var list: [SizedTile] = []
            try built.archive.listTiles(zooms: zooms) { list.append($0) }
            #expect(list == all.filter { zooms.contains(Int($0.tile.z)) })
        }
        let box = LonLatBox(west: 0, south: 0, east: 20, north: 20)
        var list: [SizedTile] = []
        try built.archive.listTiles(in: box) { list.append($0) }
        #expect(list == all.filter { $0.tile.box.touches(box) } && list.count < all.count)
    }

    @Test(arguments: [0, 2, 4])
    func `a line of a node says count, position and id`(zoom: Int) throws {
        let built = try BuiltArchive(.wrapped)
        var text: [UInt8] = []
        try built.archive.listNodes(atZoom: zoom, threads: 2) { text += $0 }
        var expected: [String] = []
        for id in try built.tiles(at: zoom) {
            let scale = 1 / Double(UInt64(1) << UInt64(zoom))
            for layer in try built.tile(id).layers {
                for feature in layer.features {
                    let local = feature.coordinates
                    guard local.allSatisfy({ 0..<Int64(layer.extent) ~= $0 }) else { continue }
                    let position = WorldPoint(
                        x: (Double(id.x) + Double(local[0]) / Double(layer.extent)) * scale,
                        y: (Double(id.y) + Double(local[1]) / Double(layer.extent)) * scale
                    ).lonLat
                    let degrees = [position.longitude, position.latitude].map {
                        "\(($0 * 1e7).rounded() / 1e7)"
                    }
                    expected.append(
                        "\(feature["point_count"]?.number ?? 1) \(degrees[0]) \(degrees[1]) "
                            + (feature.id.map { "\($0)" } ?? "-"))
                }
            }
        }
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines == expected)
    }

    @Test func `a zoom that cannot be read stops a list`() throws {
        let built = try BuiltArchive(.single)
        try built.write(stored: [0x1F, 0x8B, 8, 0], at: TileID(z: 0, x: 0, y: 0))
        #expect(throws: InspectionError.self) {
            try built.archive.listNodes(atZoom: 0, threads: 1) { _ in }
        }
        #expect(throws: InspectionError.self) {
            try built.archive.listFeatures(atZoom: 0, threads: 1) { _ in }
        }
    }

    @Test func `counts are abbreviated as their text says`() {
        let good: [(String, Int64)] = [
            ("7", 7), ("999", 999), ("1k", 1_000), ("1k", 1_049), ("1.2k", 1_150), ("1.2k", 1_249),
            ("10k", 10_499), ("10k", 9_500), ("1.2M", 1_249_999), ("1M", 1_000_000),
            ("3G", 3_000_000_000), ("1.25k", 1_250),
        ]
        for (text, count) in good { #expect(abbreviates(text, count), "\(text)") }
        let bad: [(String, Int64)] = [
            ("", 0), ("8", 7), ("1k", 1_501), ("1k", 499), ("1.2k", 1_251), ("1.2k", 1_149),
            ("1x", 1), ("k", 1), ("1.2", 1), ("1.2.0k", 1_200), ("1k ", 1_000), ("-1", -1),
            ("1kk", 1_000_000), ("9999999999999", 9_999_999_999_999), ("1.", 1),
        ]
        for (text, count) in bad { #expect(!abbreviates(text, count), "\(text)") }
    }

    @Test func `counts are abbreviated in the letters that the archive names`() {
        let cases: [(String, Int64, [AbbreviatedCount.Letters])] = [
            ("999", 999, [.small, .large, .none]), ("1k", 1_000, [.small]),
            ("1K", 1_000, [.large]), ("1000", 1_000, [.none]), ("1.2K", 1_249, [.large]),
            ("2M", 2_000_000, [.small, .large]),
        ]
        for (text, count, letters) in cases {
            let fit = AbbreviatedCount.Letters.allCases.filter { abbreviates(text, count, $0) }
            #expect(fit == letters, "\(text)")
        }
    }

    private func abbreviates(
        _ text: String, _ count: Int64, _ letters: AbbreviatedCount.Letters = .small
    ) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.span.abbreviates(count, letters)
    }
}
