import Compression
import Geometry
import Platform
import TileArchive

/// The contents of a path: an archive of tiles, or one tile.
public enum Subject: Sendable {
    case archive(Archive)
    case tile(LooseTile)

    /// Recognizes a file by its first bytes; `-` is a tile on standard input.
    public init(path: String) throws(InspectionError) {
        let status = Archive.isAddress(path) || path == "-" ? nil : try? FileStatus(of: path)
        // Reading the first bytes of a pipe would remove them from it.
        let isArchive =
            switch status?.kind {
            case .directory: true
            case .regular: ArchiveContainers.container(of: try Self.start(of: path)) != nil
            default: Archive.isAddress(path)
            }
        if isArchive {
            self = .archive(try Self.archive(path))
            return
        }
        let bytes = try Self.contents(of: path)
        if ArchiveContainers.container(of: bytes) != nil {
            throw .otherFormat(path: path, name: "an archive, which cannot be read from a pipe")
        }
        try Self.checkIsTile(bytes, path)
        self = .tile(LooseTile(path: path, stored: bytes))
    }

    /// Refuses files of kinds that cannot be a tile.
    private static func checkIsTile(_ bytes: [UInt8], _ path: String) throws(InspectionError) {
        // A tile without layers has no bytes; no other valid file is empty.
        guard !bytes.isEmpty || path.hasSuffix(".mvt") || path.hasSuffix(".pbf") else {
            throw .empty(path: path)
        }
        let opened = TileOpener().open(bytes[...])
        let start = (try? opened.inflated) ?? bytes[...]
        if let file = ForeignFile(startingWith: Array(start.prefix(1_100))) {
            throw .foreign(path: path, file)
        }
        if let kind = ArchiveContainers.container(named: path) {
            throw .noArchive(path: path, kind: kind.name)
        }
    }

    private static func archive(_ path: String) throws(InspectionError) -> Archive {
        do {
            return try Archive(path: path)
        } catch {
            guard case .wrongSchema = error else { throw .archive(error) }
            let start = try start(of: path)
            throw .foreign(path: path, ForeignFile(startingWith: start) ?? .database)
        }
    }

    private static func start(of path: String) throws(InspectionError) -> [UInt8] {
        do {
            return try File(reading: path).bytes(upTo: 100)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
    }

    private static func contents(of path: String) throws(InspectionError) -> [UInt8] {
        let bytes: [UInt8]
        do {
            let file = try path == "-" ? File.standardInput() : File(reading: path)
            bytes = try file.bytes(upTo: LooseTile.limit + 1)
        } catch {
            throw .unreadable(path: path, reason: error.description)
        }
        guard bytes.count <= LooseTile.limit else {
            throw .tooLarge(path: path, limit: LooseTile.limit)
        }
        return bytes
    }
}

/// A tile in a file of its own, gzip or not; its numbers are not known.
public struct LooseTile: Sendable {
    public let path: String
    public let stored: [UInt8]

    static let limit = TileOpener.limit

    public init(path: String, stored: [UInt8]) {
        self.path = path
        self.stored = stored
    }
}
