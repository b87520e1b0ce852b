import Geometry
import TileArchive
import VectorTile

/// Questions about an archive's clusters, answered from its index and its leaf blocks.
public struct ClusterQuery: ~Copyable {
    var index: ClusterIndex
    let path: String
    /// How many points there are.
    let leafCount: Int64
    /// The leaf block that was read last.
    private var block: (number: Int64, leaves: [Leaf])?

    /// A point of the archive.
    public struct Leaf: Sendable {
        public let number: Int64
        public let place: WorldPoint
        public let layer: String
        public let feature: ReadableTile.Feature
    }

    public init(_ archive: Archive) throws(InspectionError) {
        path = archive.path
        do {
            index = try archive.openClusters()
        } catch {
            throw .archive(error)
        }
        let facts = archive.metadata.covey.flatMap { try? CoveyFacts($0) }
        leafCount = facts?.leafCount ?? 0
    }

    /// The cluster with this id.
    public mutating func cluster(_ id: Int64) throws(InspectionError) -> ClusterRecord {
        try asking { index throws(ArchiveError) in try index.cluster(id) }
    }

    /// What the cluster comes apart into, in leaf order.
    public mutating func children(of id: Int64) throws(InspectionError) -> [ClusterNode] {
        try asking { index throws(ArchiveError) in try index.children(of: id) }
    }

    /// The cluster that this one goes into; nil for a root.
    public mutating func parent(of id: Int64) throws(InspectionError) -> ClusterRecord? {
        try asking { index throws(ArchiveError) in try index.parent(of: id) }
    }

    /// Points of the cluster: at most `limit` from number `offset` on.
    public mutating func leaves(
        of id: Int64, offset: Int64 = 0, limit: Int64 = .max
    ) throws(InspectionError) -> [Leaf] {
        let all = try cluster(id).leaves
        let first = all.lowerBound + min(max(offset, 0), Int64(all.count))
        let count = min(max(limit, 0), all.upperBound - first)
        return try leaves(first..<(first + count))
    }

    /// The points with these leaf numbers.
    public mutating func leaves(
        _ numbers: Range<Int64>
    ) throws(InspectionError) -> [Leaf] {
        var found: [Leaf] = []
        var next = numbers.lowerBound
        while next < numbers.upperBound {
            let number = next / ClusterIndex.leavesPerBlock
            let start = number * ClusterIndex.leavesPerBlock
            let end = min(numbers.upperBound, start + ClusterIndex.leavesPerBlock)
            let leaves = try leaves(ofBlock: number)
            guard Int(end - start) <= leaves.count else {
                throw .archive(.unknownLeaf(path: path, leaf: start + Int64(leaves.count)))
            }
            found += leaves[Int(next - start)..<Int(end - start)]
            next = end
        }
        return found
    }

    mutating func leaves(ofBlock number: Int64) throws(InspectionError) -> [Leaf] {
        if let block, block.number == number { return block.leaves }
        let bytes = try asking { index throws(ArchiveError) in
            try index.leafBlock(number, limit: TileOpener.limit)
        }
        let tile = ReadableTile(bytes.span)
        if let fault = tile.fault {
            throw .badLeafBlock(path: path, block: number, .contents(fault))
        }
        let root = TileID(z: 0, x: 0, y: 0)
        var leaves: [Leaf] = []
        for layer in tile.layers {
            for feature in layer.features {
                guard let place = feature.geometry?.places.first else { continue }
                leaves.append(
                    Leaf(
                        number: number * ClusterIndex.leavesPerBlock + Int64(leaves.count),
                        place: WorldPoint(place, in: root, extent: layer.extent),
                        layer: layer.name, feature: feature))
            }
        }
        block = (number, leaves)
        return leaves
    }

    mutating func asking<Answer>(
        _ question: (inout ClusterIndex) throws(ArchiveError) -> Answer
    ) throws(InspectionError) -> Answer {
        do {
            return try question(&index)
        } catch {
            throw .archive(error)
        }
    }
}
