import ArchiveContract
import Basics
import Compression

/// The source of the payloads of an archive's clusters (docs/pmtiles.md): a file beside it, a folder, or a table.
public protocol ClusterPayloadSource {
    /// The name of the source in messages.
    var path: String { get }
    /// The most payloads that an archive may claim, as each takes memory.
    var mostPayloads: Int64 { get }
    /// The most bytes that all payloads together may have, so that entries for the same bytes are not read for ever.
    var mostBytes: Int { get }
    /// The stored bytes of a payload; nil if there is none with that number.
    func bytes(ofPayload number: Int64) throws(ArchiveError) -> [UInt8]?
}

extension ClusterPayloadSource {
    public var mostPayloads: Int64 { ClusterDescription.Blocks.most }
    public var mostBytes: Int { .max }

    /// Whether the payloads have the hash that the archive states; false if one is missing, or if they have more
    /// bytes than they should.
    package func match(_ blocks: ClusterDescription.Blocks) throws(ArchiveError) -> Bool {
        if try hash(of: blocks, bySums: true) == blocks.hash { return true }
        // Up to format 3, the hash is over all bytes.
        return try hash(of: blocks, bySums: false) == blocks.hash
    }

    private func hash(
        of blocks: ClusterDescription.Blocks, bySums: Bool
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

    /// Faults of the payloads as such: whether they are those that the archive means.
    package func damage(of blocks: ClusterDescription.Blocks) -> [String] {
        do throws(ArchiveError) {
            return try match(blocks)
                ? [] : ["\(path): the blocks are not those that the archive was written with"]
        } catch {
            return ["\(error)"]
        }
    }
}
