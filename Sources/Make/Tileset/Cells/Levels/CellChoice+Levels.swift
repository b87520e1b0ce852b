import Clustering
import Geometry
import JSON
import Recipes

extension JobPlan {
    /// Squares above the cells, which cluster the nodes that are handed up to them.
    struct Level: Equatable, Sendable {
        let cutZoom: Int
        let squares: [TileID]
    }
}

extension JobPlan.Level {
    var json: JSONValue {
        [
            "cutZoom": .integer(Int64(cutZoom)),
            "squares": .array(squares.map { .array([$0.z.asJSON, $0.x.asJSON, $0.y.asJSON]) }),
        ]
    }

    init?(_ json: JSONValue) {
        guard let object = json.asObject, let cutZoom = object["cutZoom"]?.asInt,
            let numbers = object["squares"]?.asArray?.map({ $0.asArray?.compactMap(\.asInt) ?? [] })
        else { return nil }
        let squares = numbers.compactMap {
            $0.count == 3 ? TileID(zoom: $0[0], column: $0[1], row: $0[2]) : nil
        }
        guard squares.count == numbers.count, CellDivision.isWhole(squares) else { return nil }
        (self.cutZoom, self.squares) = (cutZoom, squares)
    }
}

extension FixedWidthInteger {
    fileprivate var asJSON: JSONValue { .integer(Int64(self)) }
}

extension CellChoice {
    /// With less memory, a square of a level might not fit.
    static let leastMemoryOfLevels = 1 << 30
    /// The top clusters this many nodes in less than a second.
    private static let fewNodes = 1 << 20
    /// In a job that stays, the top is clustered again with each change, and squares are taken over.
    private static let fewNodesInJob = 1 << 17
    /// In a store, each level fetches nodes once more and nothing is taken over, so the top may take some seconds.
    private static let fewNodesInStore = 1 << 23
    /// Squares with fewer points are not halved.
    private static let leastPoints = (usual: 65_536, inStore: 6 << 20)
    /// About how many zooms a level clusters. Nine of ten nodes are gone after three.
    private static let zoomsOfLevel = 3
    /// The number of zooms if the zoom of the cells is given, so that small worlds have levels, too.
    private static let givenZooms = 2
    /// The number of zooms between squares and their cut, so that margins are a small part of them.
    private static let depthOfLevel = 4
    /// The zoom of the largest squares. With larger ones, a level would leave as much for one thread as the top.
    private static let leastZoomOfSquares = 2

    /// Whether there may be squares above the cells.
    static func mayHaveLevels(
        _ recipe: Recipe, _ layers: [ClusterOptions], _ cells: CellOptions
    ) -> Bool {
        cells.levelZooms != 0 && recipe.mayHaveLevels
            && layers.allSatisfy(\.mayBeCutAgain)
    }

    /// Adds levels above the cells, each of which leaves fewer nodes, until few are left for the top.
    /// - Parameter nodeLimit: how many nodes fit into the memory.
    mutating func addLevels(
        _ counts: PointCounts, _ layers: [ClusterOptions], hierarchies: Int, _ cells: CellOptions,
        nodeLimit: Int
    ) {
        // If the zoom of the cells is given, there are levels of few zooms, however few the nodes are.
        let given = cells.levelZooms ?? (cells.zoom == nil ? nil : Self.givenZooms)
        let isStored = cells.remote != nil
        let few =
            cells.stays ? Self.fewNodesInJob : isStored ? Self.fewNodesInStore : Self.fewNodes
        let fewNodes = min(few, max(nodeLimit, Self.leastNodes))
        let fewPoints = isStored ? Self.leastPoints.inStore : Self.leastPoints.usual
        let light = given == nil ? max(counts.total / 64, fewPoints) : 0
        let least = layers.map(\.minZoom).max() ?? 0
        var (below, zoom) = (division.cells, cutZoom)
        while given != nil || Int(Self.nodes(counts, layers, hierarchies, at: zoom)) > fewNodes {
            let depth = given ?? Self.depthOfLevel
            let zooms =
                given ?? min(Self.zoomsOfLevel, zoom - depth - Self.leastZoomOfSquares)
            zoom -= zooms
            guard zooms > 0, zoom > least, zoom >= depth else { break }
            let squares = Self.squares(
                over: below, counts, deepest: UInt8(min(zoom - depth, Int(PointCounts.zoom))),
                light: light)
            levels.append(JobPlan.Level(cutZoom: zoom, squares: squares))
            below = squares
        }
        nodes = Int(Self.nodes(counts, layers, hierarchies, at: levels.last?.cutZoom ?? cutZoom))
    }

    /// Squares that each hold some of the given ones, or are one of them.
    private static func squares(
        over cells: [TileID], _ counts: PointCounts, deepest: UInt8, light: Int
    ) -> [TileID] {
        let (own, pointCount) = (Set(cells), counts.sums())
        return squares { $0.z < deepest && !own.contains($0) && pointCount($0) > light }
    }
}

extension Recipe {
    /// Whether no drawn feature depends on nodes of other levels, or on all points of a cluster.
    fileprivate var mayHaveLevels: Bool {
        !tiles.heat && tiles.spread == nil && !tiles.variableDepth
            && !layers.contains { $0.carries(.bbox) }
    }
}
