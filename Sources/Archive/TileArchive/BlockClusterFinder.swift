import ArchiveContract
import Compression

/// Finds clusters in the payloads of blocks.
final class BlockClusterFinder: ClusterFinder {
    private var payloads: ClusterPayloads
    /// Blocks that were used recently, the latest last.
    private var recent: [(number: Int64, payload: ClusterPayload, block: ClusterBlock)] = []
    private static let mostRecent = 4
    /// The large clusters by their ids; made when first needed.
    private var largeIDs: [Int64: Int]?
    /// The page that was used last.
    private var page: (number: Int, ids: IDPage)?

    init(_ payloads: consuming ClusterPayloads) { self.payloads = payloads }

    var table: LeafBlockTable { payloads.table }

    func row(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRow? {
        let found =
            switch search {
            case .exactly(let key): try exactly(key)
            case .first(let keys): try first(in: keys)
            case .upTo(let key): try upTo(key)
            }
        return found.map(ClusterRow.cluster)
    }

    /// The first large cluster whose packed key is not below a bound.
    private func large(from bound: Int64) -> Int {
        payloads.large.indices.partitionPoint { payloads.large[$0].key.packed >= bound }
    }

    private func exactly(_ key: ClusterKey) throws(ArchiveError) -> ClusterRecord? {
        let index = large(from: key.packed)
        if index < payloads.large.count, payloads.large[index].key == key {
            return payloads.large[index]
        }
        return try block(table.block(ofLeaf: key.firstLeaf))?.row(key)
    }

    private func first(in keys: Range<Int64>) throws(ArchiveError) -> ClusterRecord? {
        let index = large(from: keys.lowerBound)
        let isLarge =
            index < payloads.large.count && keys.contains(payloads.large[index].key.packed)
        let large = isLarge ? payloads.large[index] : nil
        // The first of the other clusters comes before a large cluster, or in that cluster's first block.
        let last = ClusterKey(packed: large?.key.packed ?? keys.upperBound - 1).firstLeaf
        let end = min(table.block(ofLeaf: last), payloads.count - 1)
        var number = table.block(ofLeaf: ClusterKey(packed: keys.lowerBound).firstLeaf)
        while number <= end {
            defer { number += 1 }
            guard let block = try block(number) else { continue }
            let rows = block.beginning
            let index = max(block.index(from: keys.lowerBound), rows.startIndex)
            guard index < rows.endIndex else { continue }
            let row = rows[index]
            if let large, large.key < row.key { return large }
            return keys.contains(row.key.packed) ? row : nil
        }
        return large
    }

    /// The last row that does not come after the key, among the rows of the leaf's block and the large clusters.
    /// An earlier block may have a later row, but every cluster that holds the leaf is among these.
    private func upTo(_ key: ClusterKey) throws(ArchiveError) -> ClusterRecord? {
        let index = large(from: key.packed + 1) - 1
        let large = index >= 0 ? payloads.large[index] : nil
        guard let block = try block(table.block(ofLeaf: key.firstLeaf)) else { return large }
        let behind = block.index(from: key.packed + 1)
        guard behind > 0 else { return large }
        let row = block.rows[behind - 1]
        return large.map { $0.key < row.key ? row : $0 } ?? row
    }

    func candidates(for id: Int64) throws(ArchiveError) -> [ClusterRecord]? {
        guard payloads.description.ids == .placed else { return nil }
        if let index = knownLargeIDs()[id] { return [payloads.large[index]] }
        guard let page = try page(of: id), let index = page.index(of: id) else { return [] }
        switch page.targets {
        case .leaves(let leaves):
            let key = ClusterKey(firstLeaf: leaves[index], zoom: UInt8(PlaceID(id)?.zoom ?? 0))
            guard let record = try exactly(key) else {
                throw .damagedClusters(
                    path: payloads.source.path, reason: "the index points id \(id) to a wrong place"
                )
            }
            return [record]
        case .blocks(let blocks):
            guard let number = self.page?.number else { return [] }
            let target = payloads.overview.pages[number].blocks[blocks[index]]
            if let block = try block(target) { return block.rows }
            // The block is missing, and this throws.
            return try payloads.block(target).index.rows
        }
    }

    private func knownLargeIDs() -> [Int64: Int] {
        if let largeIDs { return largeIDs }
        var ids: [Int64: Int] = [:]
        for (index, record) in payloads.large.enumerated() {
            ids[payloads.description.id(of: record)] = index
        }
        largeIDs = ids
        return ids
    }

    private func page(of id: Int64) throws(ArchiveError) -> IDPage? {
        guard let number = payloads.overview.page(of: id) else { return nil }
        if let page, page.number == number { return page.ids }
        let ids = try payloads.page(number)
        page = (number, ids)
        return ids
    }

    func withLeafBlock(
        _ number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        guard let points = try known(number)?.payload.points else { return false }
        unsafe points.withUnsafeBufferPointer { body(unsafe Span(_unsafeElements: $0)) }
        return true
    }

    func hull(ofLeafBlock number: Int64) throws(ArchiveError) -> [GridPoint]? {
        try block(number)?.hull
    }

    func outline(of key: ClusterKey) throws(ArchiveError) -> [GridPoint]? {
        try payloads.outline(of: key)
    }

    func blockBoxes() throws(ArchiveError) -> [GridBox]? {
        payloads.overview.boxes.isEmpty ? nil : payloads.overview.boxes
    }

    // MARK: Blocks

    private func block(_ number: Int64) throws(ArchiveError) -> ClusterBlock? {
        try known(number)?.block
    }

    private func known(
        _ number: Int64
    ) throws(ArchiveError) -> (number: Int64, payload: ClusterPayload, block: ClusterBlock)? {
        if let index = recent.lastIndex(where: { $0.number == number }) {
            recent.append(recent.remove(at: index))
            return recent.last
        }
        guard let payload = try payloads.payload(ofBlock: number) else { return nil }
        let block = try payloads.index(of: payload, number)
        recent.append((number, payload, block))
        if recent.count > Self.mostRecent { recent.removeFirst() }
        return recent.last
    }
}

/// Goes through the clusters, block by block, each large one before the first of its blocks.
final class BlockClusterWalk: ClusterWalk {
    private var payloads: ClusterPayloads
    private var number: Int64 = 0
    private var large = 0
    private var rows: ArraySlice<ClusterRecord> = []

    init(_ payloads: consuming ClusterPayloads) { self.payloads = payloads }

    func next() throws(ArchiveError) -> ClusterRow? {
        while rows.isEmpty, number < payloads.count {
            if large < payloads.large.count,
                payloads.table.block(ofLeaf: payloads.large[large].key.firstLeaf) == number
            {
                defer { large += 1 }
                return .cluster(payloads.large[large])
            }
            defer { number += 1 }
            guard let payload = try payloads.payload(ofBlock: number) else { continue }
            rows = try payloads.index(of: payload, number).beginning
        }
        return rows.popFirst().map(ClusterRow.cluster)
    }
}

/// Goes through the leaf blocks by number.
final class BlockLeafWalk: LeafBlockWalk {
    private var payloads: ClusterPayloads
    private var number: Int64 = 0

    init(_ payloads: consuming ClusterPayloads) { self.payloads = payloads }

    func next(_ bytes: inout [UInt8], hull: inout [GridPoint]?) throws(ArchiveError) -> Int64? {
        while number < payloads.count {
            defer { number += 1 }
            guard let payload = try payloads.payload(ofBlock: number) else { continue }
            bytes = Array(payload.points)
            hull = try payloads.index(of: payload, number).hull
            return number
        }
        return nil
    }
}

/// Goes through the pages of ids.
final class BlockIDWalk: IDWalk {
    private var payloads: ClusterPayloads
    private var number = 0

    init(_ payloads: consuming ClusterPayloads) { self.payloads = payloads }

    func next() throws(ArchiveError) -> [(id: Int64, target: Int64)]? {
        guard number < payloads.overview.pages.count else { return nil }
        defer { number += 1 }
        let page = try payloads.page(number)
        switch page.targets {
        case .leaves(let leaves): return zip(page.ids, leaves).map { (id: $0, target: $1) }
        case .blocks(let blocks):
            let listed = payloads.overview.pages[number].blocks
            return zip(page.ids, blocks).map { (id: $0, target: listed[$1]) }
        }
    }
}
