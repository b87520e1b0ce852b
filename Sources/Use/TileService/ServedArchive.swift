import ArchiveContract
import Basics
import ClusterQueries
import Geometry
import JSON
import Platform
import Synchronization
import TileArchive

/// One archive that is being served. It stays open as long as requests use it: if its file is
/// replaced, requests that have begun end with the old one.
final class ServedArchive: Sendable {
    let id: String
    /// A number that no other archive of this run has.
    let number: Int
    let path: String
    /// The folder that must contain all its files; nil if they may be anywhere.
    let folder: ServedFolder?
    /// The file as it was opened; nil for an archive on the web.
    let file: FileStatus?
    let archive: Archive
    /// The write-ahead log beside it, in which changes may be.
    private let log: FileStatus?
    /// The file of clusters beside it, as it was when the archive was opened and could not use it.
    private let unusedClusters: FileStatus?
    let zooms: ClosedRange<Int>
    /// The hash of what it says of its contents.
    let contentsHash: ContentHash
    private let tiles = Pool<TileLookup>()
    private let queries = Pool<ClusterQuery>()
    private let boxes = Once<BlockBoxes>()
    let style = Once<StyleSheet>()

    private static let count = Atomic<Int>(0)

    /// Opens the file; nil if it changed meanwhile, so that all facts are of one state.
    init?(
        id: String, path: String, in folder: ServedFolder? = nil, isLiving: Bool = false
    ) throws(ArchiveError) {
        try folder?.check(path)
        let file = FileStatus(ofArchiveAt: path)
        guard file != nil || Archive.isAddress(path) else {
            throw .unreadable(path: path, reason: Self.reasonOfNoFile(at: path))
        }
        self.id = id
        number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        self.path = path
        self.folder = folder
        self.file = file
        log = Self.log(beside: path)
        let clusters = Self.clusters(beside: path)
        archive = try Archive(path: path).holdingFiles()
        unusedClusters = archive.clustersFault.flatMap { _ in clusters }
        for file in archive.files { try folder?.check(file) }
        zooms = try Self.zooms(of: archive)
        let hashes = [archive.metadata.tilesHash, archive.metadata.covey?.text()].map { $0 ?? "" }
        contentsHash = ContentHash(of: Array(hashes.joined(separator: " ").utf8).span)
        self.isLiving =
            isLiving || archive.metadata.covey?.asObject?[ClusterDescription.pointsName] != nil
        guard FileStatus(ofArchiveAt: path) == file, Self.log(beside: path) == log else {
            return nil
        }
    }

    private static func reasonOfNoFile(at path: String) -> String {
        do {
            _ = try FileStatus(of: path)
            return "is neither a file nor a folder"
        } catch {
            guard error.isMissing else { return "\(error)" }
            return "there is no such file"
                + (path.contains("=") ? ", and what precedes = is no id of an archive" : "")
        }
    }

    /// The zooms in the metadata, or else those of the tiles.
    private static func zooms(of archive: Archive) throws(ArchiveError) -> ClosedRange<Int> {
        let metadata = archive.metadata
        if let least = metadata.minZoom, let most = metadata.maxZoom, least <= most {
            return Int(least)...Int(most)
        }
        return try archive.zooms() ?? 0...0
    }

    /// The total number of points, if the archive states it.
    var pointCount: Int64? { described.flatMap { $0.isPart ? nil : $0.leafCount } }

    /// What the archive says of its clusters, if that makes sense.
    var described: ClusterDescription? { try? archive.description?.get() }

    /// Whether its points were kept, so that it may be updated at any time.
    let isLiving: Bool

    /// A text that identifies this state of the archive.
    var version: String {
        guard let file else { return "run-\(number)" }
        return [file, log].compactMap(\.self)
            .map { "\($0.changedSeconds).\($0.changedNanoseconds)-\($0.size)" }
            .joined(separator: "-")
    }

    /// Whether the file at the path is still the one that was opened. If its clusters could not be used, others may have
    /// come since.
    var isCurrent: Bool {
        if archive.isStale || FileStatus(ofArchiveAt: path) != file
            || Self.log(beside: path) != log
        {
            return false
        }
        return archive.clustersFault == nil || Self.clusters(beside: path) == unusedClusters
    }

    /// Readers make an empty one.
    private static func log(beside path: String) -> FileStatus? {
        FileStatus(ofFileAt: path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
    }

    private static func clusters(beside path: String) -> FileStatus? {
        PMTiles.outputs(at: path).last.flatMap(FileStatus.init(ofFileAt:))
    }

    /// Lends a connection for tiles.
    func withTiles<R>(
        _ use: (inout TileLookup) throws(ServiceError) -> R
    ) throws(ServiceError) -> R {
        try tiles.withItem(
            make: { () throws(ServiceError) in
                // There is one connection for each thread; `TileService` caches the tiles that are asked for again.
                let reader = try reading { () throws(ArchiveError) in
                    try archive.openTiles(cacheBytes: 8 << 20)
                }
                try checkCurrent()
                return reader
            }, isHarmless: \.isAboutTheRequest, use)
    }

    /// The most bytes of tiles that are read for an answer, give or take a tile. A cluster's children are drawn in a
    /// few tiles, unless someone made an archive to keep servers busy.
    static let mostBytesOfTiles = 4 * TileService.largestTile

    /// Answers a question about clusters, and converts its error to one for clients.
    /// - Parameter mostBytes: the most bytes of tiles to read; past them attributes come from the index.
    func answer(
        readingTiles mostBytes: Int = mostBytesOfTiles,
        _ ask: (ClusterAnswers, inout ClusterQuery) throws -> JSONValue
    ) throws(ServiceError) -> JSONValue {
        let answers = ClusterAnswers(zooms: zooms) { drawn in
            var bytesLeft = mostBytes
            for tile in drawn.tiles where bytesLeft > 0 {
                guard let contents = try self.inflatedTile(tile) else { continue }
                bytesLeft -= contents.count
                try drawn.read(TileFeatures(contents), of: tile)
            }
        }
        return try queries.withItem(
            make: { () throws(ServiceError) in
                // On this machine; on the web it may be a matter of the moment.
                if file != nil, let fault = archive.clustersFault {
                    throw .noClusters(archive: id, why: fault.reasonOfClusters)
                }
                let query = try asking { try ClusterQuery(archive) }
                try checkCurrent()
                return query
            }, isHarmless: \.isAboutTheRequest
        ) { query throws(ServiceError) in
            try asking { try ask(answers, &query) }
        }
    }

    /// The boxes of the points of each leaf block; looked up once.
    func blockBoxes(_ query: inout ClusterQuery) throws(ClusterQueryError) -> BlockBoxes {
        try boxes.get { () throws(ClusterQueryError) in try query.blockBoxes() }
    }

    /// Checks that a new connection reads the same file as the old ones.
    private func checkCurrent() throws(ServiceError) {
        guard archive.holdsFiles || isCurrent else {
            throw .unreadable("'\(id)' is just being replaced")
        }
    }

    /// Runs code that may fail to read, and converts its error to one for clients.
    func reading<R: ~Copyable>(
        _ body: () throws(ArchiveError) -> R
    ) throws(ServiceError) -> R {
        do { return try body() } catch { throw ServiceError(error, archive: id) }
    }

    private func asking<R: ~Copyable>(_ body: () throws -> R) throws(ServiceError) -> R {
        do {
            return try body()
        } catch let error as ClusterQueryError {
            throw ServiceError(error, archive: id)
        } catch {
            throw error as? ServiceError ?? .unreadable("\(error)")
        }
    }

    /// A tile's bytes; nil if there is no tile.
    func inflatedTile(_ tile: TileID) throws(ServiceError) -> [UInt8]? {
        try withTiles { reader throws(ServiceError) in
            try reading { () throws(ArchiveError) in
                try reader.inflatedTile(at: tile, limit: TileService.largestTile)
            }
        }
    }

    /// A tile's bytes; nil if there is no tile, or it is larger than the limit.
    func sample(of tile: TileID, limit: Int) throws(ServiceError) -> [UInt8]? {
        try withTiles { reader throws(ServiceError) in
            try reading { () throws(ArchiveError) -> [UInt8]? in
                do throws(ArchiveError) {
                    return try reader.inflatedTile(at: tile, limit: limit)
                } catch {
                    if case .damagedTile(_, _, .tooLarge) = error { return nil }
                    throw error
                }
            }
        }
    }
}
