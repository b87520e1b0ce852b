import ArchiveContract
import Compression
import TileArchive

/// Finds rows and blocks of archives that are taken for one.
final class JoinedClusterFinder: ClusterFinder {
    private let plan: JoinPlan
    private let finders: [Int: any ClusterFinder]
    private let blocks: JoinedBlocks

    init(_ joined: JoinedContents) throws(ArchiveError) {
        plan = joined.plan
        var finders: [Int: any ClusterFinder] = [:]
        for source in Set(plan.units.map(\.source)) {
            finders[source] = try joined.contents[source].clusterFinder()
        }
        self.finders = finders
        blocks = joined.blocks()
    }

    var lastBlock: Int64? { blocks.count > 0 ? blocks.count - 1 : nil }

    func row(_ search: ClusterSearch) throws(ArchiveError) -> ClusterRow? {
        switch search {
        case .exactly(let key):
            guard let unit = plan.unit(ofLeaf: key.firstLeaf) else { return nil }
            let own = ClusterKey(firstLeaf: key.firstLeaf - unit.shift, zoom: key.zoom)
            return try row(.exactly(own), of: unit)
        case .from(let bound):
            for unit in plan.units {
                let leaves = unit.layer.leaves
                let own = bound - ClusterKey.bound(leaf: unit.shift, zoom: 0)
                guard own < ClusterKey.bound(leaf: leaves.upperBound, zoom: 0) else { continue }
                let least = max(own, ClusterKey.bound(leaf: leaves.lowerBound, zoom: 0))
                if let found = try row(.from(least), of: unit) { return found }
            }
            return nil
        case .upTo(let key):
            for unit in plan.units.reversed() where unit.leaves.lowerBound <= key.firstLeaf {
                let last = ClusterKey(firstLeaf: unit.layer.leaves.upperBound - 1, zoom: 31)
                let own = ClusterKey(firstLeaf: key.firstLeaf - unit.shift, zoom: key.zoom)
                if let found = try row(.upTo(min(own, last)), of: unit) { return found }
            }
            return nil
        }
    }

    /// What is found, if it is of that layer.
    private func row(
        _ search: ClusterSearch, of unit: JoinUnit
    ) throws(ArchiveError) -> ClusterRow? {
        guard case .cluster(let record)? = try finders[unit.source]?.row(search) else {
            return nil
        }
        guard unit.layer.leaves.contains(record.key.firstLeaf) else { return nil }
        return .cluster(unit.moved(record))
    }

    func page(of id: Int64) throws(ArchiveError) -> IDPage? {
        guard let unit = plan.units.first(where: { $0.holds(id &- $0.idShift) }) else { return nil }
        return try finders[unit.source]?.page(of: id - unit.idShift).map(unit.moved)
    }

    func withLeafBlock(
        _ number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        guard let block = try blocks.block(number) else { return false }
        body(block.bytes.span)
        return true
    }

    func withHull(
        ofLeafBlock number: Int64, _ body: (Span<UInt8>) -> Void
    ) throws(ArchiveError) -> Bool {
        guard let block = try blocks.block(number) else { return false }
        body(block.hull.span)
        return true
    }
}

/// Goes through the rows of archives that are taken for one, layer by layer.
final class JoinedClusterWalk: ClusterWalk {
    private let contents: [any ArchiveContents]
    private var units: ArraySlice<JoinUnit>
    private var walk: (any ClusterWalk)?

    init(_ joined: JoinedContents) {
        contents = joined.contents
        units = joined.plan.units[...]
    }

    func next() throws(ArchiveError) -> ClusterRow? {
        while let unit = units.first {
            if walk == nil { walk = try contents[unit.source].clusterWalk() }
            while let row = try walk?.next() {
                guard case .cluster(let record) = row else { return row }
                let leaf = record.key.firstLeaf
                if leaf >= unit.layer.leaves.upperBound { break }
                if unit.layer.leaves.contains(leaf) { return .cluster(unit.moved(record)) }
            }
            walk = nil
            units.removeFirst()
        }
        return nil
    }
}

/// Goes through the ids of archives that are taken for one, layer by layer.
final class JoinedIDPageWalk: IDPageWalk {
    private let archives: [Archive]
    private var units: ArraySlice<JoinUnit>
    private var scan: IDPageScan?
    /// What was read and is in no page yet.
    private var rest: ArraySlice<(id: Int64, leaf: Int64)> = []
    private var pager = IDPager()
    private var compressor: GzipCompressor

    init(_ joined: JoinedContents) {
        archives = joined.archives
        compressor = GzipCompressor(level: joined.compression)
        units = joined.plan.units[...]
    }

    func next() throws(ArchiveError) -> EncodedPage? {
        try nextPage().map { EncodedPage($0, with: &compressor) }
    }

    private func nextPage() throws(ArchiveError) -> IDPage? {
        while true {
            while let (id, leaf) = rest.popFirst() {
                if let page = pager.add(id, firstLeaf: leaf) { return page }
            }
            guard let unit = units.first else { return pager.finish() }
            if scan == nil { scan = try archives[unit.source].scanIDs() }
            if let page = try scan?.next() {
                let moved = unit.moved(page)
                rest = zip(moved.ids, moved.firstLeaves).map { (id: $0, leaf: $1) }[...]
            } else {
                scan = nil
                units.removeFirst()
            }
        }
    }
}

extension JoinUnit {
    /// What a page of its archive has of it.
    fileprivate func moved(_ page: IDPage) -> IDPage {
        var moved = IDPage()
        for (id, leaf) in zip(page.ids, page.firstLeaves) where holds(id) {
            moved.append(id + idShift, firstLeaf: leaf + shift)
        }
        return moved
    }
}

/// Goes through the blocks of archives that are taken for one.
final class JoinedBlockWalk: LeafBlockWalk {
    private let blocks: JoinedBlocks
    private var number: Int64 = 0

    init(_ blocks: JoinedBlocks) { self.blocks = blocks }

    func next(_ bytes: inout [UInt8], hull: inout [UInt8]) throws(ArchiveError) -> Int64? {
        guard let block = try blocks.block(number) else { return nil }
        bytes = block.bytes
        hull = block.hull
        defer { number += 1 }
        return number
    }
}
