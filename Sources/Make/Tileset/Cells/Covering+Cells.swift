import ArchiveContract
import Geometry

extension VariableDepth.Covering {
    /// The tiles that lie in a square. None of them is larger than it.
    func below(_ square: TileID) -> VariableDepth.Covering {
        let own = Hilbert.distance(x: square.x, y: square.y, order: square.z)
        var below = VariableDepth.Covering()
        for (zoom, distances) in tiles {
            precondition(zoom >= square.z, "a cell is no smaller than what covers tiles in it")
            let shift = 2 * UInt64(zoom - square.z)
            below.tiles[zoom] = distances.filter { $0 >> shift == own }
        }
        return below
    }
}

extension VariableDepth.Covering: BlockRecord {
    static var layout: BlockLayout<Self> { .init(Self.init, \.tiles) }
}

extension CellJob {
    /// Says which tiles of a cell are left out; nil if none are.
    func depth(of drawn: DrawnLayers, in numbers: CellNumbers) -> VariableDepth? {
        guard recipe.tiles.variableDepth else { return nil }
        let above = zooms.zooms.filter {
            Int($0) < cutZoom && Int($0) >= cutZoom - Int(ClusterDescription.coveredZooms)
        }
        return VariableDepth(
            leafCount: drawn.leafCount, in: numbers.square, under: numbers.covering,
            grids: above.map(zooms.grid))
    }
}
