import ArchiveContract
import Geometry
import JSON
import Platform
import TileArchive

/// A sink that names the kept points in the archive's metadata.
final class KeepingSink: ArchiveSink {
    let sink: any ArchiveSink
    private let keeper: PointKeeper

    init(_ sink: any ArchiveSink, _ keeper: PointKeeper) {
        self.sink = sink
        self.keeper = keeper
    }

    var tileOrder: TileOrder { sink.tileOrder }
    var wantsGzip: Bool { sink.wantsGzip }

    func write(_ tile: TileID, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        try sink.write(tile, gzip: bytes)
    }

    func write(_ run: TileRun, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        try sink.write(run, gzip: bytes)
    }

    func write(payload: Span<UInt8>, sum: String) throws(ArchiveError) {
        try sink.write(payload: payload, sum: sum)
    }

    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        var kept = try keep()
        try sink.finish(kept.named(in: metadata))
        kept.stay()
    }

    /// Gives the file of points its name, before the archive gets its own: an archive that names no
    /// existing file cannot be updated, but a file that no archive names does no harm.
    func keep() throws(ArchiveError) -> Kept {
        do throws(JobError) {
            return try Kept(by: keeper)
        } catch {
            throw .cannotWrite(path: "the points beside the archive", reason: "\(error)")
        }
    }

    /// Points whose file has its name. The file is removed with its owner, unless the archive gets its name too.
    struct Kept: ~Copyable {
        private let keeper: PointKeeper
        // The lock prevents two runs that end at once from removing each other's points.
        private let folder: OpenDirectory?
        private let sum: String
        private let wasThere: Bool
        private var stays = false

        fileprivate init(by keeper: PointKeeper) throws(JobError) {
            self.keeper = keeper
            folder = KeptPoints.lockFolder(of: keeper.archive)
            (sum, wasThere) = try keeper.publish()
        }

        deinit { if !stays, !wasThere { keeper.withdraw(sum) } }

        /// Metadata that name these points.
        func named(in metadata: ArchiveMetadata) -> ArchiveMetadata {
            var metadata = metadata
            metadata.covey = metadata.covey?.addingPoints(sum)
            return metadata
        }

        /// Keeps the points, as the archive has its name now.
        mutating func stay() {
            stays = true
            KeptPoints.removeOthers(beside: keeper.archive)
        }
    }
}

extension JSONValue {
    fileprivate func addingPoints(_ sum: String) -> JSONValue {
        guard var object = asObject else { return self }
        object[ClusterDescription.pointsName] = .string(sum)
        return .object(object)
    }
}

extension ArchiveMetadata {
    /// The sum that names the kept points; nil if none were kept.
    var keptPoints: String? {
        guard let sum = covey?.asObject?[ClusterDescription.pointsName]?.asString,
            KeptPoints.isSum(sum[...])
        else { return nil }
        return sum
    }
}
