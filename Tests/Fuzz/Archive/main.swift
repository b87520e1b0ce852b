// Feeds bytes to the reader of archives as if they were a file. Nothing may crash or go on without
// end, and all that is read must be tiles that could be there.

import Foundation
import Geometry
import TileArchive

private let path = NSTemporaryDirectory() + "covey-fuzz-\(getpid()).mbtiles"

private func readAll() throws(ArchiveError) {
    let archive = try Archive(path: path)
    _ = archive.warnings.map(\.description)
    var scan = try archive.scan()
    var reader = try archive.openTiles()
    var tiles = 0
    while tiles < 64, let tile = try scan.next() {
        precondition(tile.x < 1 << UInt64(tile.z) && tile.y < 1 << UInt64(tile.z))
        _ = try? reader.inflatedTile(at: tile, limit: 1 << 16)
        tiles += 1
    }
    _ = try archive.zooms()
    guard archive.hasClusters else { return }
    var clusters = try archive.openClusters()
    for id: Int64 in [0, 1, 32, 33, 96] {
        _ = try? clusters.cluster(id)
        _ = try? clusters.hull(ofLeafBlock: id)
        _ = try? clusters.leafBlock(id, limit: 1 << 16)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let file = fopen(path, "wb") else { fatalError("\(path) cannot be written") }
    fwrite(start, 1, count, file)
    fclose(file)
    do throws(ArchiveError) {
        try readAll()
    } catch {
        precondition(!error.description.isEmpty)
    }
    return 0
}
