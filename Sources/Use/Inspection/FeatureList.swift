import Geometry
import JSON
import TileArchive
import VectorTile

extension Archive {
    /// Calls `body` with one part after another of the features that a zoom shows, as one GeoJSON
    /// FeatureCollection.
    ///
    /// A point that several tiles show is listed once, from the tile in which it lies. Lines and
    /// polygons are listed as tiles have them: in pieces.
    package func listFeatures(
        atZoom zoom: Int, threads: Int, _ body: ([UInt8]) -> Void
    ) throws {
        let walk = ArchiveWalk(archive: self, zooms: zoom...zoom, threads: threads)
        body(Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8))
        var isFirst = true
        _ = try walk.run(
            state: { FeatureText(path: path) },
            output: { [UInt8]() },
            visit: { writer, text, tile in try writer.append(tile, to: &text) },
            consume: { text in
                // Each feature begins with a comma.
                body(isFirst ? Array(text.dropFirst()) : text)
                if !text.isEmpty { isFirst = false }
            })
        body(Array("\n]}\n".utf8))
    }
}

/// Writes features with a comma in front of each.
private struct FeatureText {
    let path: String

    func append(_ tile: OpenedTile, to text: inout [UInt8]) throws {
        do throws(TileFault) {
            // Named, because the compiler ends the life of a temporary early if its span is used across a throw.
            let bytes = try tile.inflated
            let unpacked = ReadableTile(bytes.span)
            if let fault = unpacked.fault { throw .contents(fault) }
            let geoJSON = TileGeoJSON(tile: tile.id, coordinates: .degrees)
            for layer in unpacked.layers {
                for feature in layer.features where feature.belongs(toTileOf: layer.extent) {
                    text += ",\n".utf8
                    geoJSON.feature(feature, extent: layer.extent, layer: layer.name)
                        .write(to: &text)
                }
            }
        } catch {
            throw InspectionError.badTile(path: path, tile.id, error)
        }
    }
}

extension ReadableTile.Feature {
    /// False for single points outside the tile, which a neighbour also has.
    func belongs(toTileOf extent: UInt32) -> Bool {
        guard case .points(let points) = geometry, points.count == 1 else { return true }
        let range = 0..<Int32(clamping: extent)
        return range.contains(points[0].x) && range.contains(points[0].y)
    }
}
