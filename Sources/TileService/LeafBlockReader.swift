import Geometry
import TileArchive
import VectorTile

/// Points of an archive by their leaf numbers. The block read last is kept, as neighbours are asked
/// for one after another.
struct LeafBlockReader {
    /// A block is a thousand points; one that claims to be larger than this is no block.
    private static let largestBlock = 32 << 20

    private let archive: ServedArchive
    private var current: (number: Int64, features: TileFeatures)?

    init(_ archive: ServedArchive) { self.archive = archive }

    /// The points with these leaf numbers.
    mutating func features(
        of leaves: Range<Int64>, in index: inout ClusterIndex
    ) throws(ServiceError) -> [TileFeatures.Feature] {
        var taken: [TileFeatures.Feature] = []
        var leaf = leaves.lowerBound
        while leaf < leaves.upperBound {
            let number = leaf / ClusterIndex.leavesPerBlock
            let start = number * ClusterIndex.leavesPerBlock
            let end = min(leaves.upperBound, start + ClusterIndex.leavesPerBlock)
            let places = Int(leaf - start)..<Int(end - start)
            let found = try decoded(number, in: &index) { features throws(TileError) in
                try features.features(at: places)
            }
            guard found.count == places.count else {
                throw .damaged("leaf block \(number) has too few points")
            }
            taken += found
            leaf = end
        }
        return taken
    }

    /// Where the points of a block are.
    mutating func places(
        ofBlock number: Int64, in index: inout ClusterIndex
    ) throws(ServiceError) -> [WorldPoint] {
        try decoded(number, in: &index) { features throws(TileError) in try features.places() }
    }

    private mutating func decoded<R>(
        _ number: Int64, in index: inout ClusterIndex,
        _ read: (TileFeatures) throws(TileError) -> R
    ) throws(ServiceError) -> R {
        let features = try block(number, in: &index)
        do {
            return try read(features)
        } catch {
            throw .damaged("leaf block \(number): \(error)")
        }
    }

    private mutating func block(
        _ number: Int64, in index: inout ClusterIndex
    ) throws(ServiceError) -> TileFeatures {
        if let current, current.number == number { return current.features }
        let bytes = try archive.reading { () throws(ArchiveError) in
            try index.leafBlock(number, limit: Self.largestBlock)
        }
        let features = TileFeatures(bytes)
        current = (number, features)
        return features
    }
}
