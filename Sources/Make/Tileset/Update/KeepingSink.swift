import ArchiveContract
import Geometry
import JSON
import TileArchive

/// A sink whose archive says where the points are that it is made of.
final class KeepingSink: ArchiveSink {
    private let sink: any ArchiveSink
    private let keeper: PointKeeper

    init(_ sink: any ArchiveSink, _ keeper: PointKeeper) {
        self.sink = sink
        self.keeper = keeper
    }

    var tileOrder: TileOrder { sink.tileOrder }
    var wantsGzip: Bool { sink.wantsGzip }

    func write(
        _ tiles: [TileID], gzip bytes: Span<UInt8>, ends: [Int]
    ) throws(ArchiveError) { try sink.write(tiles, gzip: bytes, ends: ends) }

    func write(_ run: TileRun, gzip bytes: Span<UInt8>) throws(ArchiveError) {
        try sink.write(run, gzip: bytes)
    }

    func write(payload: Span<UInt8>) throws(ArchiveError) { try sink.write(payload: payload) }

    /// The points first: an archive that names none of the files beside it cannot be updated, but a file that no
    /// archive names does no harm.
    func finish(_ metadata: ArchiveMetadata) throws(ArchiveError) {
        // Two runs that end at once would remove each other's.
        let folder = KeptPoints.lockFolder(of: keeper.archive)
        defer { extendLifetime(folder) }
        var metadata = metadata
        let (sum, wasThere): (String, Bool)
        do throws(JobError) {
            (sum, wasThere) = try keeper.publish()
        } catch {
            throw .cannotWrite(path: "the points beside the archive", reason: "\(error)")
        }
        metadata.covey = metadata.covey?.addingPoints(sum)
        do {
            try sink.finish(metadata)
            KeptPoints.removeOthers(beside: keeper.archive)
        } catch {
            if !wasThere { keeper.withdraw(sum) }
            throw error
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
    /// The sum over the points that were kept, if they were.
    var keptPoints: String? {
        guard let sum = covey?.asObject?[ClusterDescription.pointsName]?.asString,
            KeptPoints.isSum(sum[...])
        else { return nil }
        return sum
    }
}
