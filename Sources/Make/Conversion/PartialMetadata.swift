import ArchiveContract
import Geometry
import JSON
import TileArchive

/// The metadata of an archive that has some tiles of another: only what is true of these.
struct PartialMetadata {
    /// The metadata of the whole archive.
    let source: ArchiveMetadata
    /// The tiles that are taken.
    let selection: TileSelection
    /// Whether there is a description of clusters that can be read.
    let describesClusters: Bool
    /// The payloads about clusters that are copied.
    let blocks: ClusterDescription.Blocks?
    /// Whether some tiles stand for deeper ones.
    var leavesTilesOut = false

    /// - Parameter report: the report of what was written; it gets notes about metadata that are left out.
    func rewritten(_ report: inout ConversionReport) -> ArchiveMetadata {
        var metadata = source
        metadata.tilesHash = nil
        if !describesClusters { metadata.covey = nil }
        // The kept points are not beside the new archive.
        if var covey = metadata.covey?.asObject {
            covey[ClusterDescription.Blocks.name] = blocks?.json
            covey[ClusterDescription.pointsName] = nil
            if selection.box != nil { covey = ClusterDescription.part(of: covey) }
            metadata.covey = .object(covey)
        }
        metadata.bounds = bounds(report)
        if let zooms = report.zooms {
            metadata.minZoom = UInt8(zooms.lowerBound)
            metadata.maxZoom = UInt8(zooms.upperBound)
            // A layer without any of these zooms has none of these tiles.
            metadata.vectorLayers.removeAll { $0.ends(before: zooms) || $0.begins(behind: zooms) }
            for index in metadata.vectorLayers.indices {
                metadata.vectorLayers[index].narrow(to: zooms)
            }
        }
        report.figures?.describe(
            &metadata.vectorLayers, leavesTilesOut: leavesTilesOut && describesClusters)
        center(&metadata)
        let isPart =
            selection.box != nil
            || source.minZoom.map(Int.init).map { $0 < report.zooms?.lowerBound ?? 0 } ?? false
            || source.maxZoom.map(Int.init).map { $0 > report.zooms?.upperBound ?? 31 } ?? false
        if isPart, metadata.tileStats != nil {
            metadata.tileStats = nil
            report.notes.append(
                "tilestats are left out: they count what other tiles hold too")
        }
        if metadata.dropLongStatistics() {
            report.notes.append("tilestats are left out: with them the metadata would be too long")
        }
        return metadata
    }

    /// The box of what the tiles hold, if it is known; otherwise the source's bounds, within the
    /// box that was asked for.
    private func bounds(_ report: ConversionReport) -> LonLatBox? {
        if let box = report.figures?.box, !box.isEmpty { return LonLatBox(requesting: box) }
        let said = source.bounds ?? report.deepestBox
        guard let box = selection.box else { return said }
        guard let said else { return box }
        return said.cut(to: box)
    }

    private func center(_ metadata: inout ArchiveMetadata) {
        guard let bounds = metadata.bounds, let center = metadata.center else { return }
        if !bounds.contains(center) { metadata.center = bounds.center }
        if let zoom = metadata.centerZoom {
            metadata.centerZoom = min(
                max(zoom, metadata.minZoom ?? 0), metadata.maxZoom ?? TileID.deepestZoom)
        }
    }
}

extension VectorLayer {
    fileprivate func ends(before zooms: ClosedRange<Int>) -> Bool {
        maxZoom.map { Int($0) < zooms.lowerBound } ?? false
    }

    fileprivate func begins(behind zooms: ClosedRange<Int>) -> Bool {
        minZoom.map { Int($0) > zooms.upperBound } ?? false
    }

    /// Limits the zooms to a range, where they are stated.
    fileprivate mutating func narrow(to zooms: ClosedRange<Int>) {
        minZoom = minZoom.map { UInt8(clamping: Int($0).clamped(to: zooms)) }
        maxZoom = maxZoom.map { UInt8(clamping: Int($0).clamped(to: zooms)) }
    }
}

extension Int {
    fileprivate func clamped(to range: ClosedRange<Int>) -> Int {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}

extension LonLatBox {
    /// The intersection of two boxes; the other box if they do not overlap or the intersection has two parts.
    fileprivate func cut(to other: LonLatBox) -> LonLatBox {
        var result = other
        result.south = max(south, other.south)
        result.north = min(north, other.north)
        if result.south > result.north { (result.south, result.north) = (other.south, other.north) }
        guard !crossesAntimeridian, !other.crossesAntimeridian else { return result }
        let (west, east) = (max(west, other.west), min(east, other.east))
        if west <= east { (result.west, result.east) = (west, east) }
        return result
    }
}

extension ArchiveMetadata {
    /// The compression level of the archive's build, or the usual one.
    var builtCompression: Int {
        let options = generatorOptions.flatMap { try? JSONValue(parsing: $0) }
        let level = options?.asObject?["tiles"]?.asObject?["compression"]?.asNumber
        return level.flatMap { Int(exactly: $0) }.map { min(max($0, 0), 12) } ?? PackingLevel.usual
    }
}
