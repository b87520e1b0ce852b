import ArchiveContract
import Compression

/// A page of ids (`IDPage`) as archives keep it.
public struct EncodedPage: Sendable {
    /// The least id that it has.
    public var first: Int64
    /// A member of gzip, as payloads of cluster blocks begin with.
    public var bytes: [UInt8]

    /// A page that is packed already.
    public init(first: Int64, bytes: [UInt8]) {
        self.first = first
        self.bytes = bytes
    }

    /// Packs a page, which has an id.
    public init(_ page: IDPage, with compressor: inout GzipCompressor) {
        self.init(
            first: page.first ?? 0,
            bytes: ClusterPayload.member(holding: page.packed, with: &compressor))
    }

    /// The page, unless it is damaged.
    func unpacked(
        of path: String, with inflater: inout GzipInflater
    ) throws(ArchiveError) -> IDPage {
        do {
            guard let payload = ClusterPayload(bytes) else {
                throw ClusterBlockError.garbled("it does not begin as a page")
            }
            let page = try IDPage(
                unpacking: payload.index(with: &inflater, limit: IDPage.largest))
            guard page.first == first else { throw ClusterBlockError.garbled("it is another page") }
            return page
        } catch {
            throw .damagedClusters(path: path, reason: "the ids from \(first) on: \(error)")
        }
    }
}

/// Cuts ids, as they come in their order, into pages.
///
///     for cluster in clusters { if let page = pager.add(id, leaf) { use(page) } }
///     if let page = pager.finish() { use(page) }
public struct IDPager {
    private var page = IDPage()

    public init() {}

    /// Takes the next id.
    /// - Returns: the page that it completes.
    public mutating func add(_ id: Int64, firstLeaf: Int64) -> IDPage? {
        page.append(id, firstLeaf: firstLeaf)
        return page.count == IDPage.size ? finish() : nil
    }

    /// The page that is begun; nil if none is.
    public mutating func finish() -> IDPage? {
        guard page.count > 0 else { return nil }
        defer { page = IDPage() }
        return page
    }
}

/// Goes through the pages of ids, in their order.
public protocol IDPageWalk: AnyObject {
    func next() throws(ArchiveError) -> EncodedPage?
}

/// The walk where ids are no places.
final class NoIDPages: IDPageWalk {
    func next() throws(ArchiveError) -> EncodedPage? { nil }
}

/// Goes through an archive's index of ids, page by page.
///
///     var scan = try archive.scanIDs()
///     while let page = try scan.next() { use(page) }
public struct IDPageScan: ~Copyable {
    private let walk: any IDPageWalk
    private let path: String
    private var inflater = GzipInflater()
    /// The page that came last, as it is stored.
    public private(set) var stored: EncodedPage?

    init(_ walk: any IDPageWalk, path: String) {
        self.walk = walk
        self.path = path
    }

    /// The next page; nil behind the last.
    public mutating func next() throws(ArchiveError) -> IDPage? {
        stored = try walk.next()
        return try stored?.unpacked(of: path, with: &inflater)
    }
}

// It owns its walk alone, and every use that moves it is exclusive.
extension IDPageScan: @unchecked Sendable {}
