import Geometry

/// Gives the clusters of a layer their ids: the place of the cell in which the cluster stands, or one beside it
/// if another cluster of the same zoom stands there.
///
///     var names = ClusterNames(layer: 0, fineness: 5)
///     for cluster in clusters { names.add(at: cluster.position, zoom: cluster.zoom) }
///     let ids = try names.ids { a, b in clusters[a] < clusters[b] }
///
/// An id depends only on the clusters of the same zoom in the same square.
public struct ClusterNames: Sendable {
    private let layer: Int
    private let grids: [NameGrid]
    private var entries: [Entry] = []
    private var count = 0

    /// A cluster by zoom and cell.
    private struct Entry: Sendable {
        let key: UInt64
        let index: Int

        init(key: UInt64, index: Int) {
            self.key = key
            self.index = index
        }

        init(zoom: Int, cell: UInt64, index: Int) {
            self.init(key: UInt64(zoom) << Self.cellBits | cell, index: index)
        }

        private static let cellBits = UInt64(2 * NameGrid.finestBits)

        var zoom: Int { Int(key >> Self.cellBits) }
        var cell: UInt64 { key & NameGrid.placeMask }
    }

    public init(layer: Int, fineness: Int) {
        self.layer = layer
        grids = (0..<32).map { NameGrid(zoom: $0, fineness: fineness) }
    }

    /// Adds the next cluster; its index is the number of clusters before it.
    public mutating func add(at position: WorldPoint, zoom: Int) {
        entries.append(
            Entry(zoom: zoom, cell: grids[zoom].cell(of: position), index: count))
        count += 1
    }

    /// Adds clusters with the next indexes; such pieces may be made in parallel.
    public mutating func append(_ piece: consuming ClusterNames) {
        let first = count
        count += piece.count
        entries += piece.entries.lazy.map { entry in
            Entry(key: entry.key, index: first + entry.index)
        }
    }

    /// Sorts the added clusters, which makes `ids` faster.
    public mutating func sort() { entries.sort { ($0.key, $0.index) < ($1.key, $1.index) } }

    /// The id of a cluster if no other stands near it.
    public func usualID(at position: WorldPoint, zoom: Int) -> Int64 {
        id(zoom, grids[zoom].cell(of: position))
    }

    private func id(_ zoom: Int, _ cell: UInt64) -> Int64 {
        PlaceID(layer: layer, place: grids[zoom].place(ofCell: cell), zoom: zoom).number
    }

    /// The ids of all clusters, by their indexes.
    /// - Parameter precedes: the order of clusters in one cell, by their indexes.
    /// - Complexity: O(n log n).
    public consuming func ids(
        precedes: (Int, Int) -> Bool
    ) throws(ClusterNamesError) -> [Int64] {
        var sorted = entries
        entries = []
        sorted.sort { a, b in
            a.key != b.key ? a.key < b.key : a.index != b.index && precedes(a.index, b.index)
        }
        var ids = [Int64](repeating: 0, count: sorted.count)
        var start = 0
        while start < sorted.count {
            let (zoom, cell) = (sorted[start].zoom, sorted[start].cell)
            let square = grids[zoom].square(around: cell)
            let limit = sorted[start].key - cell + square.upperBound
            var end = start + 1
            var isShared = false
            while end < sorted.count, sorted[end].key < limit {
                isShared = isShared || sorted[end].key == sorted[end - 1].key
                end += 1
            }
            guard end - start <= square.count else {
                throw ClusterNamesError(zoom: zoom, clusters: end - start, names: square.count)
            }
            let own = sorted[start..<end]
            if isShared {
                for (entry, name) in zip(own, Self.names(of: own.map(\.cell), in: square)) {
                    ids[entry.index] = id(zoom, name)
                }
            } else {
                for entry in own { ids[entry.index] = id(zoom, entry.cell) }
            }
            start = end
        }
        return ids
    }

    /// The nearest strictly ascending names, for cells that may repeat but not descend.
    private static func names(of cells: [UInt64], in square: Range<UInt64>) -> [UInt64] {
        var names = cells
        for index in names.indices.dropFirst() where names[index] <= names[index - 1] {
            names[index] = names[index - 1] + 1
        }
        // Names pushed over the square's end are moved back before it.
        var bound = square.upperBound
        for index in names.indices.reversed() {
            guard names[index] >= bound else { break }
            names[index] = bound - 1
            bound = names[index]
        }
        return names
    }
}

/// A square has more clusters than names.
public struct ClusterNamesError: Error, Equatable, Sendable {
    public let zoom: Int
    public let clusters: Int
    public let names: Int
}
