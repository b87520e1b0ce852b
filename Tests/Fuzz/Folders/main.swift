// Lays out files as bytes say and reads them as an archive that is a folder: its metadata, its names,
// its tiles and its cluster blocks. Nothing may crash, go on without end or leave the folder.
// A file is a name, a line feed and its contents; record separators (0x1E) stand between files.

import Foundation
import Geometry
import TileArchive

private let path = NSTemporaryDirectory() + "covey-fuzz-\(getpid())-folder"

/// A name that stays within the folder; nil of one that would not.
private func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let name = String(decoding: bytes, as: UTF8.self)
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isPlain = name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } && name.utf8.count < 60
    guard isPlain, parts.count < 5, parts.allSatisfy({ !["", ".", ".."].contains($0) }) else {
        return nil
    }
    return name
}

private func layOut(_ bytes: [UInt8]) {
    try? FileManager.default.removeItem(atPath: path)
    mkdir(path, 0o700)
    for file in bytes.split(separator: 0x1E).prefix(20) {
        let head = file.prefix { $0 != 0x0A }
        guard let name = name(head) else { continue }
        var folder = path
        for part in name.split(separator: "/").dropLast() {
            folder += "/\(part)"
            mkdir(folder, 0o700)
        }
        guard let output = fopen("\(path)/\(name)", "wb") else { continue }
        file.dropFirst(head.count + 1).withUnsafeBufferPointer {
            _ = fwrite($0.baseAddress, 1, $0.count, output)
        }
        fclose(output)
    }
}

private func readAll() throws(ArchiveError) {
    let archive = try Archive(path: path)
    _ = archive.warnings.map(\.description)
    _ = archive.clustersFault?.description
    var scan = try archive.scan()
    var reader = try archive.openTiles()
    while let tile = try scan.next() {
        precondition(tile.x < 1 << UInt64(tile.z) && tile.y < 1 << UInt64(tile.z))
        _ = try? reader.inflatedTile(at: tile, limit: 1 << 16)
    }
    _ = try archive.audit()
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
public func fuzzFolders(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    layOut(Array(UnsafeBufferPointer(start: start, count: count)))
    do throws(ArchiveError) {
        try readAll()
    } catch {
        precondition(!error.description.isEmpty)
    }
    return 0
}
