import Conversion
import Geometry
import TileArchive

extension Archive {
    /// Calls `body` with a line of text for each point and cluster that a zoom shows, each listed once:
    /// count, longitude, latitude, and id or `-` if there is none.
    package func listNodes(
        atZoom zoom: Int, threads: Int, _ body: ([UInt8]) -> Void
    ) throws {
        let conventions = TileConventions(of: self)
        let walk = ArchiveWalk(archive: self, zooms: zoom...zoom, threads: threads)
        _ = try walk.run(
            state: { TileDigester(takesFingerprints: false, conventions) },
            output: { [UInt8]() },
            visit: { digester, text, tile in
                var survey = Survey()
                var nodes: [DrawnNode] = []
                if let fault = digester.digest(tile, into: &survey, nodes: &nodes) {
                    throw InspectionError.badTile(path: path, tile.id, fault)
                }
                for node in nodes where node.isInTile { text += node.line(in: tile.id).utf8 }
            },
            consume: body)
    }
}

extension DrawnNode {
    fileprivate func line(in tile: TileID) -> String {
        let degrees = WorldPoint(position, in: tile, extent: UInt32(extent)).lonLat
        let id = hasID ? "\(id)" : "-"
        return "\(pointCount) \(degrees.longitude.rounded7) \(degrees.latitude.rounded7) \(id)\n"
    }
}

extension Double {
    /// The number rounded to 10^-7; in degrees, this is a centimetre.
    fileprivate var rounded7: Double { (self * 1e7).rounded() / 1e7 }
}
