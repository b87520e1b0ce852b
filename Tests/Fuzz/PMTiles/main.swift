// Feeds bytes to what reads PMTiles: as a header, as a directory, as the index of a cluster block,
// as a payload, and as a whole file with the file of its clusters. Nothing may crash or go on
// without end, and what is read must hold to its own rules.

import ArchiveContract
import Compression
import Foundation
import Geometry
import TileArchive

private let path = NSTemporaryDirectory() + "covey-fuzz-\(getpid()).pmtiles"
private let clustersPath = NSTemporaryDirectory() + "covey-fuzz-\(getpid()).clusters.pmtiles"

private func write(_ bytes: ArraySlice<UInt8>, to path: String) {
    guard let file = fopen(path, "wb") else { fatalError("\(path) cannot be written") }
    bytes.withUnsafeBufferPointer { _ = fwrite($0.baseAddress, 1, $0.count, file) }
    fclose(file)
}

/// What comes back from bytes must make the same bytes' meaning again.
private func readParts(_ bytes: [UInt8]) {
    if let header = try? PMTilesHeader(bytes) {
        precondition((try? PMTilesHeader(header.bytes)) == header)
    }
    if let directory = try? PMTilesDirectory(bytes.span) {
        precondition((try? PMTilesDirectory(directory.bytes.span)) == directory)
        for entry in directory.entries.prefix(9) { _ = directory.entry(for: entry.id) }
    }
    // The first byte says how many leaves the block should have.
    let leaves = 0..<Int64(bytes.first ?? 0)
    if let block = try? ClusterBlock(unpacking: bytes, number: 0, leaves: leaves) {
        for row in block.rows.prefix(9) {
            precondition(row.leaves.lowerBound >= 0 && !row.leaves.isEmpty)
            _ = block.row(row.key)
        }
    }
    if let outlines = try? Outlines(unpacking: bytes) {
        precondition((try? Outlines(unpacking: outlines.packed)) == outlines)
    }
    _ = try? IDPage(unpacking: bytes, listing: leaves.count)
    if let payload = ClusterPayload(bytes) {
        var inflater = GzipInflater()
        _ = (try? payload.index(with: &inflater), payload.points.count)
    }
}

private func readAll() throws(ArchiveError) {
    let archive = try Archive(PMTiles(path: path), named: PMTiles.name, path: path)
    var reader = try archive.openTiles()
    for id in UInt64(0)..<30 {
        if let tile = TileID(hilbertID: id) { _ = try? reader.tile(at: tile) }
    }
    _ = archive.clustersFault?.description
    _ = try archive.audit().pmtiles.map(\.description)
    _ = try archive.zooms()
    guard archive.hasClusters else { return }
    var clusters = try archive.openClusters()
    for id: Int64 in [32, 33, 96] {
        _ = try? clusters.cluster(id)
        _ = try? clusters.children(of: id, limit: 100)
        _ = try? clusters.parent(of: id)
        _ = try? clusters.node(holding: id, at: 3)
    }
    _ = try? clusters.blockBoxes()
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPMTiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    readParts(bytes)
    // Two files in one: four bytes behind the first say how long it is.
    guard count > 131 else { return 0 }
    let length = bytes[(count - 4)...].reduce(0) { $0 << 8 | Int($1) } % (count - 4)
    write(bytes[..<length], to: path)
    write(bytes[length..<(count - 4)], to: clustersPath)
    do throws(ArchiveError) {
        try readAll()
    } catch {
        precondition(!error.description.isEmpty)
    }
    return 0
}
