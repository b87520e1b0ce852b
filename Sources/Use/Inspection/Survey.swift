import Basics
import Geometry
import TileArchive
import VectorTile

/// The figures of an archive or a single tile by zoom, layer and attribute.
public struct Survey: Sendable {
    private var figures = [ZoomFigures?](repeating: nil, count: 32)
    public internal(set) var layers: [LayerFigures] = []

    init() {}

    /// The zooms that have tiles, shallowest first.
    public var zooms: [ZoomFigures] { figures.compactMap { $0 } }

    public var tiles: Int { zooms.reduce(0) { $0 + $1.tiles } }
    public var unreadableTiles: Int { zooms.reduce(0) { $0 + $1.unreadableTiles } }
    /// What to say of tiles that cannot be read; nil if there are none.
    public var warning: String? {
        guard unreadableTiles > 0 else { return nil }
        let noun = unreadableTiles == 1 ? "tile" : "tiles"
        return "\(unreadableTiles) \(noun) cannot be read; covey verify says why"
    }

    /// Tiles by size; see `ZoomFigures.sizeClasses`.
    public var sizeClasses: [Int] {
        zooms.reduce(into: [Int](repeating: 0, count: 33)) { sums, zoom in
            for power in sums.indices { sums[power] += zoom.sizeClasses[power] }
        }
    }

    /// Whether the tiles have clusters at all.
    public var hasClusters: Bool { layers.contains { $0.clusters > 0 } }

    /// The figures of a zoom, to be added to.
    subscript(zoom zoom: UInt8) -> ZoomFigures {
        get { figures[Int(zoom)] ?? ZoomFigures(zoom: Int(zoom)) }
        _modify {
            let index = Int(zoom)
            if case nil = figures[index] { figures[index] = ZoomFigures(zoom: index) }
            yield &figures[index]!
        }
    }

    /// The index of a tile's layer, which is added if its name is new.
    mutating func index(of layer: borrowing LayerView, zoom: UInt8) -> Int {
        let name = layer.nameBytes
        for index in layers.indices where name.holdsSame(as: layers[index].nameBytes) {
            layers[index].include(layer, zoom: zoom)
            return index
        }
        layers.append(LayerFigures(layer, zoom: zoom))
        return layers.count - 1
    }

    /// Counts a point that one zoom shows by means of a tile of another zoom.
    mutating func addPoint(in layer: Int32, shownAt zoom: UInt8) {
        layers[Int(layer)].pointsByZoom[zoom, default: 0] &+= 1
    }

    /// Adds the figures of later tiles, or of a group whose first tile they are for.
    mutating func merge(_ other: Survey, over group: TileGroup? = nil) {
        for zoom in other.zooms { self[zoom: UInt8(zoom.zoom)].merge(zoom, over: group) }
        for layer in other.layers {
            if let index = layers.firstIndex(where: { $0.nameBytes == layer.nameBytes }) {
                layers[index].merge(layer, over: group)
            } else if group == nil {
                layers.append(layer)
            } else {
                layers.append(LayerFigures(beside: layer))
                layers[layers.count - 1].merge(layer, over: group)
            }
        }
    }
}

extension Survey {
    /// Surveys all tiles of an archive.
    /// - Parameter zoomDone: is called with each zoom's figures as soon as they are complete.
    public init(
        of archive: Archive, zooms: ClosedRange<Int> = 0...31, threads: Int,
        zoomDone: (ZoomFigures) -> Void = { _ in }
    ) throws {
        self.init()
        var reported = -1
        let walk = ArchiveWalk(archive: archive, zooms: zooms, threads: threads)
        let conventions = TileConventions(of: archive)
        _ = try walk.run(
            state: { TileDigester(takesFingerprints: false, conventions) },
            output: { Survey() },
            visit: { digester, survey, tile in
                var unwanted: [DrawnNode]?
                _ = digester.digest(tile, into: &survey, nodes: &unwanted)
            },
            consume: { part in
                merge(part)
                // Tiles are ordered by zoom, so all zooms but the last one seen are complete.
                for zoom in self.zooms.dropLast() where zoom.zoom > reported {
                    zoomDone(zoom)
                    reported = zoom.zoom
                }
            })
        if let last = self.zooms.last, last.zoom > reported { zoomDone(last) }
    }
}
