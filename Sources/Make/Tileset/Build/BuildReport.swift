import Clustering
import Geometry
import PointInput

/// The result of a build.
public struct BuildReport: Sendable {
    public var layers: [Layer] = []
    public var zooms: [Zoom] = []
    public var stages: [Stage] = []
    /// How precise the deepest zoom is, and why it was chosen, where the data decided.
    public var zoomReason = ""
    /// The greatest distance on the ground between a point and where it is drawn, where points are drawn apart.
    public var spreadMetres: Double?
    /// Whether points have ids so great that clusters may share some of them.
    public var clusterIDsMayEqualPointIDs = false
    /// How many tiles were left out because an ancestor shows the same, by zoom.
    public var leftOutTiles: [UInt8: Int] = [:]
    /// The largest tiles, largest first.
    public var largestTiles: [LargeTile] = []
    public var fileBytes = 0
    /// How many tiles were changed in place; nil where the archive was written anew.
    public var changedTiles: Int?
    /// The box of all points, in degrees, and its middle.
    public var bounds: LonLatBox?
    public var center: LonLat?
    /// How the build was cut; nil where it was made in memory.
    public var cells: CellFigures?

    public struct Layer: Sendable {
        public var name: String
        public var input: InputReport
        public var points: Int
        public var clusters: Int
        /// Clusters past the cluster zooms, which were kept because tiles were crowded.
        public var heldClusters = 0
        /// Values that an aggregate could not use, by aggregate.
        public var skippedValues: [(aggregate: String, count: Int)] = []
        /// The attributes by whose values points were counted.
        public var facets: [FacetLayout] = []
        /// The number of bins over all zooms, and the deepest zoom that has them.
        public var bins: (count: Int, maxZoom: Int)?
    }

    public struct Zoom: Sendable, Equatable {
        public var zoom: UInt8
        public var tiles = 0
        public var bytes = 0
        /// Features, without the copies in margins.
        public var points = 0
        public var clusters = 0
        /// Points that the features stand for: the same at every zoom.
        public var pointCount = 0
        public var largestCluster = 0
    }

    public struct Stage: Sendable {
        public var stage: BuildStage
        public var seconds: Double
        /// The most memory the process had used by the end of the stage.
        public var peakBytes: Int
    }

    public struct LargeTile: Sendable {
        public var tile: TileID
        public var bytes: Int
        public var features: Int
    }

    /// The deepest zoom that has tiles.
    var deepestZoom: UInt8? { zooms.filter { $0.tiles > 0 }.map(\.zoom).max() }
    public var tileCount: Int { zooms.reduce(0) { $0 + $1.tiles } }
    public var tileBytes: Int { zooms.reduce(0) { $0 + $1.bytes } }
}

extension BuildReport {
    /// Notes why the zooms were chosen, and how far `spread` moves points of each layer.
    mutating func tell(_ plan: ZoomPlan, spread: [SpreadExtent?]) {
        zoomReason = plan.reason
        guard plan.spread != nil else { return }
        spreadMetres = spread.compactMap { $0?.metres }.max()
        zoomReason +=
            spreadMetres.map { "; what is drawn apart goes up to \(DrawnPrecision.text($0)) off" }
            ?? "; no point is drawn apart"
    }

    /// Notes the figures of all tiles.
    mutating func tell(_ figures: TileFigures) {
        (zooms, largestTiles) = (figures.zooms, figures.largest)
    }
}
