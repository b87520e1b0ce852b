import ArchiveContract
import Basics
import Compression

/// Where the payloads of an archive's clusters lie (docs/pmtiles.md): in a file beside it, in a folder, in a table.
public protocol ClusterPayloadSource {
    /// What messages call it.
    var path: String { get }
    /// An archive that says it has more is not believed: memory is taken for each.
    var mostPayloads: Int64 { get }
    /// The stored bytes of a payload; nil if there is none with that number.
    func bytes(ofPayload number: Int64) throws(ArchiveError) -> [UInt8]?
}

extension ClusterPayloadSource {
    /// More than an overview has room for.
    public var mostPayloads: Int64 { 1 << 26 }

    /// Whether the payloads are those of which an archive has the hash; false where one is missing, or where they have more
    /// bytes than there should be.
    package func match(
        _ blocks: ClusterDescription.Blocks, mostBytes: Int = .max
    ) throws(ArchiveError) -> Bool {
        if try hash(of: blocks, mostBytes, bySums: true) == blocks.hash { return true }
        // Up to format 3 the hash is over all bytes.
        return try hash(of: blocks, mostBytes, bySums: false) == blocks.hash
    }

    private func hash(
        of blocks: ClusterDescription.Blocks, _ mostBytes: Int, bySums: Bool
    ) throws(ArchiveError) -> String? {
        var hash = MD5()
        var bytesLeft = mostBytes
        for number in 0...max(blocks.overview, 0) {
            guard let bytes = try bytes(ofPayload: number) else { return nil }
            bytesLeft -= bytes.count
            guard bytesLeft >= 0 else { return nil }
            let hashed = bySums ? Array(PayloadHash.sum(of: bytes.span).utf8) : bytes
            hash.update(hashed.span)
        }
        return hash.finish()
    }

    /// What is wrong with the payloads as such: whether they are those that the archive means.
    package func damage(of blocks: ClusterDescription.Blocks) -> [String] {
        do throws(ArchiveError) {
            return try match(blocks)
                ? [] : ["\(path): the blocks are not those that the archive was written with"]
        } catch {
            return ["\(error)"]
        }
    }
}
