import ArchiveContract
import Basics
import Compression

/// Where the payloads of an archive's cluster blocks lie, in a file beside it or in a folder: blocks, then
/// pages of ids, and the overview of both.
protocol ClusterBlockSource: Sendable {
    /// What messages call it.
    var path: String { get }
    /// How many blocks there are.
    var count: Int64 { get }
    /// How many pages of ids there are.
    var pageCount: Int64 { get }
    /// How leaves are cut into them.
    var layout: LeafBlockLayout { get }
    /// The payload with that number; nil if there is none.
    func payload(_ number: Int64) throws(ArchiveError) -> ClusterPayload?
}

extension ClusterBlockSource {
    /// What is known of all blocks and pages; nil if it is missing where there is no page.
    func overview(with inflater: inout GzipInflater) throws(ArchiveError) -> ClusterBoxes? {
        guard let payload = try payload(count + pageCount) else {
            guard pageCount == 0 else {
                throw .damagedClusters(path: path, reason: "the overview of blocks is missing")
            }
            return nil
        }
        let overview: ClusterBoxes
        do {
            overview = try ClusterBoxes(unpacking: payload.index(with: &inflater))
        } catch {
            throw .damagedClusters(path: path, reason: "the overview of blocks: \(error)")
        }
        guard overview.pages.count == pageCount else {
            throw .damagedClusters(
                path: path,
                reason: "the overview tells of \(overview.pages.count) pages of ids, not of "
                    + "\(pageCount)")
        }
        return overview
    }

    /// A page of ids that the overview tells of.
    func page(_ number: Int, of overview: ClusterBoxes) throws(ArchiveError) -> EncodedPage {
        guard let payload = try payload(count + Int64(number)) else {
            throw .damagedClusters(path: path, reason: "page \(number) of ids is missing")
        }
        return EncodedPage(first: overview.pages[number], bytes: Array(payload.head))
    }

    /// The index of a block in its payload.
    func index(
        of payload: ClusterPayload, _ number: Int64, with inflater: inout GzipInflater
    ) throws(ArchiveError) -> ClusterBlock {
        do {
            let block = try ClusterBlock(unpacking: payload.index(with: &inflater))
            guard block.number == number,
                block.leaves.lowerBound == layout.firstLeaf(ofBlock: number)
            else { throw ClusterBlockError.garbled("it is that of block \(block.number)") }
            return block
        } catch {
            throw .damagedClusters(path: path, reason: "block \(number): \(error)")
        }
    }
}

/// The payloads of an archive while it is written: of blocks one after another, then of pages, and behind
/// them that of the overview.
struct PayloadSequence: ~Copyable {
    private let path: String
    private var boxes: [GridBox] = []
    private var pages: [Int64] = []
    private var hash = MD5()
    /// How many payloads there have been, and the number of the next.
    private(set) var count: Int64 = 0

    init(path: String) { self.path = path }

    mutating func payload(of block: EncodedBlock) throws(ArchiveError) -> [UInt8] {
        precondition(!block.index.isEmpty, "a block without its index")
        guard block.number == count, pages.isEmpty else {
            throw .outOfOrder(path: path, table: "leaf blocks", row: block.number)
        }
        boxes.append(
            GridBox(around: block.hull) ?? GridBox(west: 0, north: 0, east: 0, south: 0))
        return entered(block.index + block.leaves)
    }

    mutating func payload(of page: EncodedPage) throws(ArchiveError) -> [UInt8] {
        guard page.first > pages.last ?? 0 else {
            throw .outOfOrder(path: path, table: "ids", row: page.first)
        }
        pages.append(page.first)
        return entered(page.bytes)
    }

    mutating func overview() -> [UInt8] {
        var compressor = GzipCompressor()
        return entered(
            ClusterPayload.member(
                holding: ClusterBoxes(boxes, pages: pages).packed, with: &compressor))
    }

    private mutating func entered(_ payload: [UInt8]) -> [UInt8] {
        count += 1
        hash.update(payload.span)
        return payload
    }

    /// What the archive says of the blocks, once the overview is behind them.
    consuming func finish() -> ClusterDescription.Blocks {
        let blocks = count - 1 - Int64(pages.count)
        return ClusterDescription.Blocks(
            count: blocks, pages: Int64(pages.count), hash: hash.finish())
    }
}
