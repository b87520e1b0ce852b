import ArchiveContract
import Platform

/// The payloads of a folder's clusters: `clusters/0.bin`, `clusters/1.bin` … (docs/pmtiles.md).
final class FolderClusters: ClusterPayloadSource, Sendable {
    let path: String
    let blocks: ClusterDescription.Blocks
    private let directory: OpenDirectory

    /// Opens the payloads that the archive describes.
    init(
        in root: OpenDirectory, path: String, _ blocks: ClusterDescription.Blocks
    ) throws(ArchiveError) {
        self.path = "\(path)/\(FolderNames.clusters)"
        self.blocks = blocks
        do {
            directory = try root.directory(FolderNames.clusters)
        } catch {
            throw .unreadable(path: self.path, reason: "\(error)")
        }
    }

    static func name(ofPayload number: Int64) -> String { "\(number).bin" }

    func bytes(ofPayload number: Int64) throws(ArchiveError) -> [UInt8]? {
        guard (0...blocks.overview).contains(number) else { return nil }
        return try bytes(Self.name(ofPayload: number))
    }

    private func bytes(_ name: String) throws(ArchiveError) -> [UInt8] {
        do {
            if let bytes = try directory.contents(of: name, limit: TileFolder.largestFile) {
                return bytes
            }
        } catch {
            throw .damagedClusters(path: path, reason: "\(name): \(error)")
        }
        throw .damagedClusters(path: path, reason: "\(name) is larger than any block")
    }
}
