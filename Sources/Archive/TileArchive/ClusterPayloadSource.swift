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
    /// More than an archive of 2^31 points has.
    public var mostPayloads: Int64 { 1 << 22 }

    /// The hash over all payloads; nil where one is missing, or where they have more bytes than there should be.
    func hash(
        of blocks: ClusterDescription.Blocks, mostBytes: Int = .max
    ) throws(ArchiveError) -> String? {
        var hash = MD5()
        var bytesLeft = mostBytes
        for number in 0...max(blocks.overview, 0) {
            guard let bytes = try bytes(ofPayload: number) else { return nil }
            bytesLeft -= bytes.count
            guard bytesLeft >= 0 else { return nil }
            hash.update(bytes.span)
        }
        return hash.finish()
    }

    /// What is wrong with the payloads as such: whether they are those that the archive means.
    package func damage(of blocks: ClusterDescription.Blocks) -> [String] {
        do throws(ArchiveError) {
            return try hash(of: blocks) == blocks.hash
                ? [] : ["\(path): the blocks are not those that the archive was written with"]
        } catch {
            return ["\(error)"]
        }
    }
}
