import ArchiveContract
import Basics
import Platform

/// The cluster blocks of a folder: `clusters/0.bin`, `clusters/1.bin` …, and behind them pages of ids and
/// the overview (docs/pmtiles.md).
final class FolderClusters: ClusterBlockSource {
    let path: String
    let count: Int64
    let pageCount: Int64
    let layout: LeafBlockLayout
    private let directory: OpenDirectory

    /// Opens what the archive describes.
    init(
        in root: OpenDirectory, path: String, _ blocks: ClusterDescription.Blocks,
        _ layout: LeafBlockLayout
    ) throws(ArchiveError) {
        self.path = "\(path)/\(FolderNames.clusters)"
        count = blocks.count
        pageCount = blocks.pages
        self.layout = layout
        do {
            directory = try root.directory(FolderNames.clusters)
        } catch {
            throw .unreadable(path: self.path, reason: "\(error)")
        }
    }

    static func name(ofBlock number: Int64) -> String { "\(number).bin" }

    func payload(_ number: Int64) throws(ArchiveError) -> ClusterPayload? {
        guard (0...count + pageCount).contains(number) else { return nil }
        let name = Self.name(ofBlock: number)
        guard let payload = ClusterPayload(try bytes(name)) else {
            throw .damagedClusters(path: path, reason: "\(name) does not begin as a block")
        }
        return payload
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

    /// What is wrong with the files as such: whether they are those that the archive means.
    func damage(_ blocks: ClusterDescription.Blocks) -> [String] {
        var hash = MD5()
        for number in 0...max(count + pageCount, 0) {
            do throws(ArchiveError) {
                let payload = try bytes(Self.name(ofBlock: number))
                hash.update(payload.span)
            } catch {
                return ["\(error)"]
            }
        }
        return hash.finish() == blocks.hash
            ? [] : ["\(path): the blocks are not those that the archive was written with"]
    }
}

/// Writes the cluster blocks of a folder.
final class FolderClusterSink {
    private let path: String
    private let directory: OpenDirectory
    private var payloads: PayloadSequence?

    init(in root: OpenDirectory, path: String) throws(ArchiveError) {
        do {
            directory = try root.directory(making: FolderNames.clusters)
        } catch {
            throw ArchiveError(writing: path, error)
        }
        self.path = path
        payloads = PayloadSequence(path: path)
    }

    func write(_ block: EncodedBlock) throws(ArchiveError) {
        if let payload = try payloads?.payload(of: block) { try write(payload, block.number) }
    }

    func write(_ page: EncodedPage) throws(ArchiveError) {
        let number = payloads?.count ?? 0
        if let payload = try payloads?.payload(of: page) { try write(payload, number) }
    }

    /// Adds the overview.
    /// - Returns: what the archive says of its blocks.
    func finish() throws(ArchiveError) -> ClusterDescription.Blocks? {
        guard var payloads = payloads.take() else { return nil }
        let number = payloads.count
        try write(payloads.overview(), number)
        return payloads.finish()
    }

    private func write(_ payload: [UInt8], _ number: Int64) throws(ArchiveError) {
        do {
            let name = FolderClusters.name(ofBlock: number)
            try directory.file(creating: name).write(payload.span)
        } catch {
            throw ArchiveError(writing: path, error)
        }
    }
}
