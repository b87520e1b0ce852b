import Compression
import Geometry
import JSON
import TileArchive
import TileService
import Testing

/// What a folder says of its tiles, read as its page reads it.
struct TileTreeTests {
    /// Whether a tree has a tile.
    static func has(_ tile: TileID, in bytes: [UInt8]) -> Bool {
        var firstBelow: [Int] = []
        var next = 1
        for byte in bytes {
            firstBelow.append(next)
            next += (byte & 15).nonzeroBitCount
        }
        var index = 0
        for shift in (0..<UInt32(tile.z)).reversed() {
            let quarter = UInt8(tile.y >> shift & 1) * 2 + UInt8(tile.x >> shift & 1)
            guard bytes[index] >> quarter & 1 == 1 else { return false }
            let before = bytes[index] & ((1 << quarter) - 1)
            index = firstBelow[index] + before.nonzeroBitCount
        }
        return index >= bytes.count || bytes[index] & 16 != 0
    }

    @Test(arguments: [0, 3, 6])
    func `a folder's tree has its tiles and no others`(deepest: Int) throws {
        let folder = try SampleFolder()
        try folder.build(
            "places/", of: SamplePoint.random(200, seed: 3),
            tiles: ["maxZoom": .integer(Int64(deepest))])
        let archive = try Archive(path: folder.file("places"))
        let files = try StaticSite(name: "places", address: nil, mapLibre: .pinned)
            .files(of: archive)
        let documents = files.map(\.path).filter { !$0.contains("/") && $0.hasSuffix(".json") }
        #expect(documents == ["tiles.json", "style.json"])
        let described = try #require(files.first { $0.path == "tiles.json" })
        let document = JSONNode(
            try JSONValue(parsing: String(decoding: described.bytes, as: UTF8.self)))
        let name = try document.required("tileTree").string
        let packed = try #require(files.first { $0.path == name }).bytes
        var inflater = GzipInflater()
        let tree = try inflater.inflate(packed.span, limit: 1 << 20)
        var there: Set<TileID> = []
        let scan = try archive.scanNumbers()
        while let tile = try scan.next() { there.insert(tile) }
        #expect(there.count > deepest)
        for z in 0...UInt8(deepest) {
            for x in 0..<UInt32(1) << UInt32(z) {
                for y in 0..<UInt32(1) << UInt32(z) {
                    let tile = TileID(z: z, x: x, y: y)
                    #expect(Self.has(tile, in: tree) == there.contains(tile), "\(tile)")
                }
            }
        }
    }
}
