import ArchiveContract
import Foundation
import Geometry
import TileArchive

/// A container of its own, for tests: a folder with a file for each tile and each payload. All
/// that a new kind of archive needs is in this one type and its parts.
struct FolderArchive: ArchiveContainer {
    static let name = "Folder"
    static let endings = ["tiles"]
    static func mayStart(with bytes: [UInt8]) -> Bool { bytes.isEmpty }

    static func sink(
        to path: String, options: SinkOptions
    ) throws(ArchiveError) -> any ArchiveSink {
        FolderSink(path)
    }

    /// A plain value, which is written as JSON.
    struct Contents: Codable {
        var tiles: [[UInt32]] = []
        var payloads = 0
        var name = ""
        var covey = ""
    }

    let path: String
    let contents: Contents
    let metadata: ArchiveMetadata
    let layout = ArchiveLayout(name: "folder", words: "a file a tile")
    let warnings: [ArchiveWarning] = []
    let hasClusters = true

    init(path: String) throws(ArchiveError) {
        self.path = path
        do {
            let data = try Data(contentsOf: URL(filePath: path + "/contents.json"))
            contents = try JSONDecoder().decode(Contents.self, from: data)
            var metadata = ArchiveMetadata(name: contents.name)
            metadata.covey = try .init(parsing: contents.covey)
            self.metadata = metadata
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
    }

    func tileFinder(cacheBytes: Int) -> any TileFinder { FolderReader(self) }
    func tileWalk(zooms: ClosedRange<Int>) -> any TileWalk { FolderReader(self, zooms) }
    func clusterPayloads() -> (any ClusterPayloadSource)? { FolderPayloads(folder: self) }
    func audit() -> ContainerAudit { ContainerAudit() }

    func bytes(_ name: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: "\(path)/\(name)"))).map(Array.init)
    }
}

private struct FolderPayloads: ClusterPayloadSource {
    let folder: FolderArchive
    var path: String { folder.path }

    func bytes(ofPayload number: Int64) -> [UInt8]? { folder.bytes("payload-\(number)") }
}

final class FolderSink: ArchiveSink {
    let tileOrder = TileOrder.alongHilbertCurve
    private let path: String
    private var contents = FolderArchive.Contents()
    /// In the order in which they came.
    private(set) var tiles: [TileID] = []

    init(_ path: String) {
        self.path = path
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    private func put(_ bytes: Span<UInt8>, _ name: String) {
        let data = bytes.withUnsafeBufferPointer { Data($0) }
        _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: data)
    }

    func write(_ tile: TileID, gzip bytes: Span<UInt8>) {
        put(bytes, "tile-\(tile.z)-\(tile.x)-\(tile.y)")
        contents.tiles.append([UInt32(tile.z), tile.x, tile.y])
    }

    func write(payload: Span<UInt8>, sum: String) {
        put(payload, "payload-\(contents.payloads)")
        contents.payloads += 1
    }

    func finish(_ metadata: ArchiveMetadata) {
        contents.name = metadata.name
        contents.covey = metadata.covey?.text() ?? ""
        let data = try? JSONEncoder().encode(contents)
        _ = FileManager.default.createFile(atPath: path + "/contents.json", contents: data)
    }
}

private final class FolderReader: TileFinder, TileWalk {
    private let folder: FolderArchive
    private var tiles: ArraySlice<TileID>

    init(_ folder: FolderArchive, _ zooms: ClosedRange<Int> = 0...31) {
        self.folder = folder
        tiles =
            folder.contents.tiles.map { TileID(z: UInt8($0[0]), x: $0[1], y: $0[2]) }
            .filter { zooms.contains(Int($0.z)) }
            .sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }[...]
    }

    func withTile(at tile: TileID, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard let bytes = folder.bytes("tile-\(tile.z)-\(tile.x)-\(tile.y)") else { return false }
        body(bytes.span)
        return true
    }

    func next(_ bytes: inout [UInt8]) -> TileID? {
        guard let tile = tiles.popFirst() else { return nil }
        _ = withTile(at: tile) { bytes = Array(copying: $0) }
        return tile
    }
}

extension [UInt8] {
    init(copying bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { Array($0) }
    }
}
