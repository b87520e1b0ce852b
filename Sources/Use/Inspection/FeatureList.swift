import Geometry
import JSON
import TileArchive
import VectorTile

extension Archive {
    /// Calls `body` with one part after another of the features that a zoom shows, as one GeoJSON
    /// FeatureCollection.
    ///
    /// A point or a bin that several tiles show is listed once. Other lines and polygons are listed as tiles have
    /// them: in pieces.
    package func listFeatures(
        atZoom zoom: Int, threads: Int, _ body: ([UInt8]) -> Void
    ) throws {
        let walk = ArchiveWalk(archive: self, zooms: zoom...zoom, threads: threads)
        let companions = TileConventions(of: self).companions
        let bins = Set(companions.filter { $0.value == .bins }.keys)
        body(Array("{\"type\":\"FeatureCollection\",\"features\":[".utf8))
        var isFirst = true
        _ = try walk.run(
            state: { FeatureText(path: path, bins: bins) },
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
    /// The layers of bins.
    let bins: Set<String>

    func append(_ tile: OpenedTile, to text: inout [UInt8]) throws {
        do throws(TileFault) {
            // Named, because the compiler ends the life of a temporary early if its span is used across a throw.
            let bytes = try tile.inflated
            let unpacked = ReadableTile(bytes.span)
            if let fault = unpacked.fault { throw .contents(fault) }
            let geoJSON = TileGeoJSON(tile: tile.id, coordinates: .degrees)
            for layer in unpacked.layers {
                let isBin = bins.contains(layer.name)
                for feature in layer.features
                where feature.belongs(to: tile.id, extent: layer.extent, isBin: isBin) {
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
    /// Whether a tile is the one of several with the feature that it is listed from: that in which a single point
    /// lies, or the north-west corner of a bin. All else is listed from every tile.
    func belongs(to tile: TileID, extent: UInt32, isBin: Bool) -> Bool {
        let range = 0..<Int32(clamping: extent)
        switch geometry {
        case .points(let points) where points.count == 1:
            return range.contains(points[0].x) && range.contains(points[0].y)
        case .rings(let rings) where isBin:
            // Near the antimeridian a tile has it once for each side; the north of the world has no tile.
            return rings.contains { ring in
                let (x, y) = (ring.map(\.x).min() ?? 0, ring.map(\.y).min() ?? 0)
                return range.contains(x) && (range.contains(y) || y < 0 && tile.y == 0)
            }
        default: return true
        }
    }
}
