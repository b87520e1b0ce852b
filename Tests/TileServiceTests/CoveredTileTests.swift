import Compression
import Geometry
import HTTP
import MessageTiles
import TileArchive
import TileService
import Testing
import VectorTile

/// Tiles that were left out because an ancestor shows the same.
struct CoveredTileTests {
    static let folder = Result { () throws -> SampleFolder in
        let folder = try SampleFolder()
        let points = SamplePoint.random(400, seed: 5)
        try folder.build("whole.mbtiles", of: points)
        try folder.build("thin.mbtiles", of: points, tiles: ["maxZoom": 8, "variableDepth": true])
        return folder
    }

    /// What the tile shows: where each point is, in units of the usual grid, and what it carries.
    static func seen(_ bytes: [UInt8]) throws -> [UInt64: (x: Double, y: Double, tags: [Tile.Tag])]
    {
        var inflater = GzipInflater()
        let plain = try inflater.inflate(bytes.span, limit: 1 << 20)
        var reader = try TileReader(plain.span)
        var seen: [UInt64: (x: Double, y: Double, tags: [Tile.Tag])] = [:]
        while let layer = try reader.nextLayer() {
            let unit = 4_096 / Double(layer.extent)
            for index in 0..<layer.featureCount {
                let feature = try layer.feature(at: index)
                guard let id = feature.id, let point = feature.point else { continue }
                var tags = feature.tags()
                var carried: [Tile.Tag] = []
                while let tag = try tags.next() {
                    carried.append(
                        Tile.Tag(layer.key(at: tag.key), layer.value(at: tag.value).value))
                }
                seen[id] = (Double(point.x) * unit, Double(point.y) * unit, carried)
            }
        }
        return seen
    }

    @Test func `a tile that was left out is cut out of its ancestor, by both ways of answering`()
        throws
    {
        let folder = try Self.folder.get()
        let (service, quickService) = (folder.service(), folder.service())
        let kept = try Archive(path: folder.file("thin.mbtiles"))
        var tiles = try kept.openTiles()
        let numbers = try Archive(path: folder.file("whole.mbtiles")).scanNumbers()
        var leftOut = 0
        while let tile = try numbers.next() {
            guard try tiles.tile(at: tile) == nil else { continue }
            leftOut += 1
            let path = "\(tile.z)/\(tile.x)/\(tile.y)"
            let whole = service.get("/whole/\(path)") { $0.acceptEncoding = "gzip" }
            let thin = service.get("/thin/\(path)") { $0.acceptEncoding = "gzip" }
            let shown = try Self.seen(whole.bytes)
            let found = thin.status == .ok ? try Self.seen(thin.bytes) : [:]
            for (id, point) in shown {
                guard let same = found[id] else {
                    // Rounded to the coarser grid it was just within the margin.
                    let isEdge = [point.x, point.y].contains { !(-62..<4_158).contains($0) }
                    #expect(isEdge, "\(tile): \(id)")
                    continue
                }
                #expect(abs(same.x - point.x) <= 1 && abs(same.y - point.y) <= 1)
                #expect(same.tags == point.tags)
            }
            let quick = QuickAnswerTests.quick(quickService, "/thin/\(path)")
            #expect(quick?.status == thin.status && quick?.bytes == thin.bytes)
        }
        #expect(leftOut > 100)
    }

    @Test func `what is empty stays empty, and nothing is cut for other archives`() throws {
        let folder = try Self.folder.get()
        let service = folder.service()
        // No point is so far south.
        for name in ["thin", "whole"] {
            #expect(service.get("/\(name)/8/0/255").status == .noContent)
        }
    }
}
