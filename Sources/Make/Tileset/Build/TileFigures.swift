import Geometry

/// The figures of tiles for the report, zoom by zoom.
struct TileFigures: Sendable {
    private(set) var zooms: [BuildReport.Zoom] = []
    /// The largest tiles, largest first.
    private(set) var largest: [BuildReport.LargeTile] = []

    private static let mostLargest = 5

    var tileCount: Int { zooms.reduce(0) { $0 + $1.tiles } }

    /// Counts tiles; those of one zoom follow one another.
    mutating func include(_ tiles: EncodedTiles) {
        guard !tiles.entries.isEmpty else { return }
        if zooms.last?.zoom != tiles.grid.zoom { zooms.append(.init(zoom: tiles.grid.zoom)) }
        let last = zooms.count - 1
        tiles.forEach { entry, bytes in
            zooms[last].merge(entry.figures)
            zooms[last].bytes += bytes
            if largest.count < Self.mostLargest || bytes > largest[largest.count - 1].bytes {
                largest.append(.init(tile: entry.tile, bytes: bytes, features: entry.features))
                trim()
            }
        }
    }

    /// Adds the figures of other tiles.
    mutating func merge(_ other: TileFigures) {
        for zoom in other.zooms {
            if let index = zooms.firstIndex(where: { $0.zoom == zoom.zoom }) {
                zooms[index].merge(zoom)
            } else {
                zooms.append(zoom)
            }
        }
        zooms.sort { $0.zoom < $1.zoom }
        largest += other.largest
        trim()
    }

    private mutating func trim() {
        largest.sort { ($0.bytes, $1.tile) > ($1.bytes, $0.tile) }
        largest.removeSubrange(min(largest.count, Self.mostLargest)...)
    }
}

extension BuildReport.Zoom {
    mutating func includePoint() {
        points += 1
        pointCount += 1
    }

    mutating func includeCluster(of points: Int) {
        clusters += 1
        pointCount += points
        largestCluster = max(largestCluster, points)
    }

    fileprivate mutating func merge(_ other: BuildReport.Zoom) {
        tiles += other.tiles
        bytes += other.bytes
        clusters += other.clusters
        points += other.points
        pointCount += other.pointCount
        largestCluster = max(largestCluster, other.largestCluster)
    }
}

extension TileFigures: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.zooms, \.largest) }
}

extension BuildReport.Zoom: BlockRecord {
    static var layout: BlockLayout<Self> {
        .init(
            Self.init, \.zoom, \.tiles, \.bytes, \.points, \.clusters, \.pointCount,
            \.largestCluster)
    }
}

extension BuildReport.LargeTile: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.tile, \.bytes, \.features) }
}
