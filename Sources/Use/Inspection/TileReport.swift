import Geometry
import JSON
import TileArchive
import VectorTile

/// The contents of one tile.
public struct TileReport: Sendable {
    /// The tile's numbers, if they are known.
    public let tile: TileID?
    /// The bytes as stored.
    public let stored: [UInt8]
    public let isGzip: Bool
    /// The inflated bytes; empty if that fails.
    public let inflated: [UInt8]
    /// The figures of each layer.
    public let survey: Survey
    /// Layers and features, decoded.
    public let content: ReadableTile
    /// Why the tile could not be read to its end.
    public let fault: TileFault?
    /// How protobuf-c reads the tile differently; nil if it does not, or the tile has a fault.
    public let difference: ReadingDifference?

    public init(of stored: [UInt8], tile: TileID?) {
        let opened = TileOpener().open(
            stored[...], of: TileGroup(tile ?? TileID(z: 0, x: 0, y: 0)))
        var figures = Survey()
        var unwanted: [DrawnNode]?
        var digester = TileDigester(takesFingerprints: false)
        fault = digester.digest(opened, into: &figures, nodes: &unwanted)
        self.tile = tile
        self.stored = stored
        survey = figures
        isGzip = opened.isGzip
        let bytes = (try? opened.inflated).map(Array.init) ?? []
        content = ReadableTile(bytes.span)
        inflated = bytes
        var second = SecondReader()
        difference = second.difference(in: bytes.span)
    }

    /// A tile of an archive.
    public init(_ tile: TileID, of archive: Archive) throws(InspectionError) {
        let stored: [UInt8]?
        do {
            var tiles = try archive.openTiles()
            stored = try tiles.tile(at: tile)
        } catch {
            throw .archive(error)
        }
        guard let stored else { throw .noTile(path: archive.path, tile) }
        self.init(of: stored, tile: tile)
    }
}

extension TileReport {
    /// Everything but the features, as JSON.
    public var json: JSONValue {
        var object = JSONObject()
        object["tile"] = tile.map { .string($0.description) }
        object["bytes"] = .integer(Int64(stored.count))
        object["gzip"] = .bool(isGzip)
        object["inflated_bytes"] = .integer(Int64(inflated.count))
        object["layers"] = survey.json.asObject?["layers"]
        object["left_out"] = .array(content.skipped.map { .string($0.description) })
        object["protobuf_c"] = difference.map { .string($0.description) }
        object["fault"] = fault.map { .string($0.description) }
        return .object(object)
    }
}
