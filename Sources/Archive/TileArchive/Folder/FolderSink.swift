import ArchiveContract
import Compression
import Geometry
import JSON
import Platform

/// Writes an archive as a folder: one file for each tile, and the files that a static host needs to serve it.
final class FolderSink: ArchiveSink {
    /// By column, so that a folder of tiles is filled before the next is made.
    let tileOrder = TileOrder.byColumn
    var wantsGzip: Bool { !unpacks }
    private let path: String
    let options: SinkOptions
    let ending: String
    private let unpacks: Bool
    private var folder: OutputFolder
    /// The folder that is being filled.
    let root: OpenDirectory
    private var column: OpenColumn?
    private var payloadCount: Int64 = 0
    private var written: WrittenTiles
    private var inflater = GzipInflater()

    /// The folder of a column of tiles, which is being filled.
    private struct OpenColumn {
        let zoom: UInt8
        let x: UInt32
        let directory: OpenDirectory
    }

    init(to path: String, options: SinkOptions) throws(ArchiveError) {
        let folder = try OutputFolder(path: path, replacesExisting: options.replacesExisting)
        do {
            root = try OpenDirectory(folder.temporaryPath)
        } catch {
            throw ArchiveError(writing: path, error)
        }
        self.folder = folder
        self.path = path
        self.options = options
        written = WrittenTiles(hashes: !options.mayChange)
        ending = FolderNames.endings(ofFormat: options.format)[0]
        unpacks = options.format == "pbf" && !options.folder.keepsGzip
    }

    func write(_ tile: TileID, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        if let plain = try unpacked(tile, bytes) {
            try write(tile, plain.span)
        } else {
            try write(tile, bytes)
        }
    }

    /// The contents of a tile's file, if they differ from the given bytes.
    func unpacked(_ tile: TileID, _ bytes: Span<UInt8>) throws(ArchiveError) -> [UInt8]? {
        guard unpacks, GzipInflater.isGzip(bytes) else { return nil }
        do {
            return try inflater.inflate(bytes, limit: TileFolder.largestFile)
        } catch {
            throw .damagedTile(path: path, tile, error)
        }
    }

    func changing(tileBytes: Int) throws(ArchiveError) -> (any ChangingArchive)? {
        // A hash over all tiles would mean reading them all.
        guard options.replacesExisting, options.mayChange else { return nil }
        return try FolderChanges(of: folder.target, by: self)
    }

    private func write(_ tile: TileID, _ bytes: Span<UInt8>) throws(ArchiveError) {
        // A program that is told to end removes the folder soon after, and could not if more files came.
        if options.isCancelled?() ?? false { throw .cancelled(path: path) }
        written.include(tile, bytes)
        do {
            try open(tile)
            try column?.directory.file(creating: "\(tile.y).\(ending)").write(bytes)
        } catch {
            if error.isTaken { throw .duplicateTile(path: path, tile) }
            throw ArchiveError(writing: path, error)
        }
    }

    private func open(_ tile: TileID) throws(FileError) {
        if let column, column.zoom == tile.z, column.x == tile.x { return }
        let zoom = try root.directory(making: "\(tile.z)")
        column = OpenColumn(
            zoom: tile.z, x: tile.x, directory: try zoom.directory(making: "\(tile.x)"))
    }

    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        let name = FolderClusters.name(ofPayload: payloadCount)
        try write(payload, as: "\(FolderNames.clusters)/\(name)")
        payloadCount += 1
    }

    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        try metadata.checkLength()
        column = nil
        var metadata = metadata
        if !options.mayChange { metadata.tilesHash = try hash() }
        try write(metadata)
        for file in try options.companions(of: folder.temporaryPath, path: path) {
            try write(file.bytes.span, as: file.path)
        }
        try options.show(folder.temporaryPath, path: path)
        try folder.publish()
    }

    func write(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        let object = JSONObject(
            metadata.rows.map { .init(key: $0.name, value: .string($0.value)) })
        let text = Array((JSONValue.object(object).text(.pretty) + "\n").utf8)
        try write(text.span, as: FolderNames.metadata)
    }

    func write(_ bytes: Span<UInt8>, as name: String) throws(ArchiveError) {
        do {
            var directory = root
            let parts = name.split(separator: "/")
            for part in parts.dropLast() {
                directory = try directory.directory(making: String(part))
            }
            try directory.file(creating: String(parts.last ?? "")).write(bytes)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }

    /// Makes the files written so far durable.
    func synchronize() throws(FileError) { try Directory(folder.temporaryPath).synchronizeAll() }

    /// The hash over all tiles; they are read again if they came in another order.
    private func hash() throws(ArchiveError) -> String? {
        if let hash = written.finish() { return hash }
        var hash = TilesHash()
        let files = FolderTiles(path: folder.temporaryPath, format: options.format)
        let walk = try FolderTileWalk(files, zooms: 0...31)
        var bytes: [UInt8] = []
        while let tile = try walk.next(&bytes) {
            hash.include(tile, bytes.span)
        }
        return hash.finish()
    }
}

extension SinkOptions {
    /// The files beside the tiles of a folder.
    /// - Parameters:
    ///   - folder: the folder with tiles and metadata.
    ///   - path: the name of the archive.
    func companions(
        of folder: String, path: String
    ) throws(ArchiveError) -> [FolderOptions.StaticFile] {
        guard let companions = self.folder.companions else { return [] }
        let archive = try Archive(path: folder)
        do {
            return try companions(archive)
        } catch let error as ArchiveError {
            throw error
        } catch {
            throw .cannotWrite(path: path, reason: "\(error)")
        }
    }
}
