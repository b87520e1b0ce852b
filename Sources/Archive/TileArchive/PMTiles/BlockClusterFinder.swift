import ArchiveContract
import Compression

/// Finds clusters in payloads of cluster blocks.
final class BlockClusterFinder: ClusterFinder {
    private let clusters: any ClusterBlockSource
    private var inflater = GzipInflater()
    /// Blocks that were asked for lately, the latest last.
    private var recent: [(payload: ClusterPayload, block: ClusterBlock)] = []

    private static let mostRecent = 4
    private var overview: ClusterBoxes?
    /// The page that was asked for last.
    private var page: (number: Int, ids: IDPage)?

    init(_ clusters: any ClusterBlockSource) { self.clusters = clusters }

    var lastBlock: Int64? { clusters.count > 0 ? clusters.count - 1 : nil }

    func row(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRow? {
        let found =
            switch search {
            case .exactly(let key): try exactly(key)
            case .from(let bound): try from(bound)
            case .upTo(let key): try upTo(key)
            }
        return found.map(ClusterRow.cluster)
    }

    private func exactly(_ key: ClusterKey) throws(ArchiveError) -> ClusterRecord? {
        // A parent or child often has a row in the block that was just looked at.
        for (_, block) in recent.reversed() {
            if let row = block.row(key) { return row }
        }
        return try block(clusters.layout.block(ofLeaf: key.firstLeaf))?.row(key)
    }

    private func from(_ bound: Int64) throws(ArchiveError) -> ClusterRecord? {
        let first = clusters.layout.block(
            ofLeaf: ClusterKey(packed: max(bound, 0)).firstLeaf)
        guard first < clusters.count else { return nil }
        for number in first..<clusters.count {
            guard let block = try block(number) else { continue }
            let beginning = block.beginning
            let index = max(block.index(from: bound), beginning.startIndex)
            if index < beginning.endIndex { return block.rows[index] }
        }
        return nil
    }

    /// The last row of the leaf's block that does not come after the key. An earlier block may have
    /// a later one; but no cluster that holds the leaf is missing from this block's rows.
    private func upTo(_ key: ClusterKey) throws(ArchiveError) -> ClusterRecord? {
        guard let block = try block(clusters.layout.block(ofLeaf: key.firstLeaf)) else {
            return nil
        }
        let behind = block.index(from: key.packed + 1)
        return behind > 0 ? block.rows[behind - 1] : nil
    }

    func withLeafBlock(
        _ number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        guard let payload = try known(number)?.payload else { return false }
        let leaves = payload.leaves
        unsafe leaves.withUnsafeBufferPointer { body(unsafe Span(_unsafeElements: $0)) }
        return true
    }

    func withHull(
        ofLeafBlock number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        guard let block = try block(number) else { return false }
        body(GridPoint.pack(block.hull).span)
        return true
    }

    func shape(of key: ClusterKey) throws(ArchiveError) -> ClusterShape? {
        try block(clusters.layout.block(ofLeaf: key.firstLeaf))?.shape(of: key)
    }

    func children(of key: ClusterKey) throws(ArchiveError) -> [ClusterRecord]? {
        try block(clusters.layout.block(ofLeaf: key.firstLeaf))?.children(of: key)
    }

    func blockBoxes() throws(ArchiveError) -> [GridBox]? { try keptOverview()?.boxes }

    private func keptOverview() throws(ArchiveError) -> ClusterBoxes? {
        if overview == nil { overview = try clusters.overview(with: &inflater) }
        return overview
    }

    func page(of id: Int64) throws(ArchiveError) -> IDPage? {
        guard let overview = try keptOverview(), let number = overview.page(of: id) else {
            return nil
        }
        if let page, page.number == number { return page.ids }
        let ids = try clusters.page(number, of: overview).unpacked(
            of: clusters.path, with: &inflater)
        page = (number, ids)
        return ids
    }

    // MARK: Blocks

    private func block(_ number: Int64) throws(ArchiveError) -> ClusterBlock? {
        try known(number)?.block
    }

    private func known(
        _ number: Int64
    ) throws(ArchiveError) -> (payload: ClusterPayload, block: ClusterBlock)? {
        guard (0..<clusters.count).contains(number) else { return nil }
        if let index = recent.lastIndex(where: { $0.block.number == number }) {
            recent.append(recent.remove(at: index))
            return recent.last
        }
        guard let payload = try clusters.payload(number) else { return nil }
        let block = try clusters.index(of: payload, number, with: &inflater)
        recent.append((payload, block))
        if recent.count > Self.mostRecent { recent.removeFirst() }
        return recent.last
    }
}

/// Goes through the clusters that begin in each block.
final class BlockClusterWalk: ClusterWalk {
    private let clusters: any ClusterBlockSource
    private var inflater = GzipInflater()
    private var number: Int64 = 0
    private var rows: ArraySlice<ClusterRecord> = []

    init(_ clusters: any ClusterBlockSource) { self.clusters = clusters }

    func next() throws(ArchiveError) -> ClusterRow? {
        while rows.isEmpty, number < clusters.count {
            defer { number += 1 }
            guard let payload = try clusters.payload(number) else { continue }
            rows = try clusters.index(of: payload, number, with: &inflater).beginning
        }
        return rows.popFirst().map(ClusterRow.cluster)
    }
}

/// Goes through the leaf blocks by number.
final class BlockLeafWalk: LeafBlockWalk {
    private let clusters: any ClusterBlockSource
    private var inflater = GzipInflater()
    private var number: Int64 = 0
    private(set) var index: [UInt8] = []

    init(_ clusters: any ClusterBlockSource) { self.clusters = clusters }

    func next(_ bytes: inout [UInt8], hull: inout [UInt8]) throws(ArchiveError) -> Int64? {
        while number < clusters.count {
            defer { number += 1 }
            guard let payload = try clusters.payload(number) else { continue }
            bytes = Array(payload.leaves)
            index = Array(payload.head)
            hull = GridPoint.pack(
                try clusters.index(of: payload, number, with: &inflater).hull)
            return number
        }
        return nil
    }
}

/// Goes through the pages of ids.
final class BlockIDPageWalk: IDPageWalk {
    private let clusters: any ClusterBlockSource
    private var inflater = GzipInflater()
    private var overview: ClusterBoxes?
    private var number = 0

    init(_ clusters: any ClusterBlockSource) { self.clusters = clusters }

    func next() throws(ArchiveError) -> EncodedPage? {
        guard number < clusters.pageCount else { return nil }
        if overview == nil { overview = try clusters.overview(with: &inflater) }
        guard let overview else { return nil }
        defer { number += 1 }
        return try clusters.page(number, of: overview)
    }
}
