// Asks an archive about its clusters whose index and leaf blocks are what the bytes say. Nothing may
// crash, go on without end or take memory that the archive's own size does not explain.

import ArchiveContract
import ClusterQueries
import Compression
import Foundation
import Geometry
import SQLite
import TileArchive

private let path = FileManager.default.temporaryDirectory
    .appending(path: "covey-fuzz-\(getpid())-clusters.mbtiles").path

/// An archive of 40 points in one cluster of two, with a description, but without blocks and rows.
private func makeArchive() throws {
    var options = MBTilesWriter.Options()
    options.replacesExisting = true
    var writer = try MBTilesWriter(to: path, options: options)
    var gzip = GzipCompressor(level: 1)
    try writer.write(TileID(z: 0, x: 0, y: 0), gzip: gzip.compress([UInt8]().span).span)
    var metadata = ArchiveMetadata(name: "fuzz")
    metadata.covey =
        ClusterDescription(
            layers: [
                .init(
                    name: "a", leaves: 0..<40, minZoom: 0, maxZoom: 6,
                    clustering: .init(radius: RadiusByZoom(50), algorithm: "spaced"))
            ], buffer: 8, ids: .placed
        ).json
    try writer.write(leafBlock: 0, gzip: gzip.compress([UInt8]().span).span, hull: [])
    try writer.write(
        ClusterRecord(
            key: .init(firstLeaf: 0, zoom: 0), leafCount: 2,
            position: GridPoint(WorldPoint(x: 0.5, y: 0.5)), parent: nil))
    try writer.finish(metadata)
}

/// Takes numbers off the front of the bytes.
private struct Dice {
    var bytes: ArraySlice<UInt8>

    mutating func small() -> Int64 { Int64(bytes.popFirst() ?? 0) }

    /// Mostly small numbers, and now and then one that is nowhere near.
    mutating func number() -> Int64 {
        let first = small()
        switch first {
        case 250: return Int64.max - small()
        case 251: return Int64.min + small()
        case 252: return small() << 40
        case 253: return -small()
        default: return first
        }
    }
}

private func fill(_ dice: inout Dice) throws {
    let database = try Database(path: path, mode: .readWriteCreate)
    try database.execute(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; DELETE FROM \(IndexTable.clusters); DELETE FROM \(IndexTable.leafBlocks); DELETE FROM \(IndexTable.ids)"
    )
    for _ in 0..<(dice.small() % 12) {
        let (first, zoom, leaves) = (dice.number(), dice.small() % 33, dice.number())
        let (x, y, parent) = (dice.number() << 22, dice.number() << 22, dice.number())
        let up = parent % 3 == 0 ? "NULL" : "\(parent)"
        try database.execute(
            "INSERT OR REPLACE INTO \(IndexTable.clusters) VALUES "
                + "(\(first &* 32 &+ zoom), \(leaves), \(x), \(y), \(up), \(dice.small() - 128))")
    }
    let hull = dice.bytes.prefix(Int(dice.small() % 40))
    dice.bytes = dice.bytes.dropFirst(hull.count)
    var gzip = GzipCompressor(level: 1)
    let block = gzip.compress(Array(dice.bytes).span)
    for number in [Int64(0), dice.number()] {
        var insert = try database.prepare(
            "INSERT OR REPLACE INTO \(IndexTable.leafBlocks) VALUES (\(number), ?1, ?2)")
        try insert.bind(Array(hull).span, at: 2)
        try insert.run(binding: block.span, at: 1)
    }
    try database.execute("COMMIT")
}

/// The first leaves of the rows that are there, by their ids.
private func keysOfRows() throws -> [Int64: Int64] {
    let description = try Archive(path: path).description?.get()
    var rows = try Archive(path: path).scanClusters()
    var keys: [Int64: Int64] = [:]
    while case .cluster(let row)? = try? rows.next() {
        if let id = description?.id(of: row) { keys[id] = row.key.firstLeaf }
    }
    return keys
}

/// A page that leads from the ids of the rows to their keys, or what the bytes say.
private func fillPages(_ dice: inout Dice) throws {
    var page = IDPage()
    let keys = try keysOfRows()
    for (id, leaf) in keys.sorted(by: { $0.key < $1.key }) { page.append(id, firstLeaf: leaf) }
    var gzip = GzipCompressor(level: 1)
    var encoded = EncodedPage(page, with: &gzip)
    if dice.small() % 4 == 0 {
        encoded.bytes = ClusterPayload.member(holding: Array(dice.bytes), with: &gzip)
    }
    ids = Array(keys.keys)
    let database = try Database(path: path, mode: .readWriteCreate)
    var insert = try database.prepare("INSERT INTO \(IndexTable.ids) VALUES (?1, ?2)")
    try insert.bind(encoded.first, at: 1)
    try insert.run(binding: encoded.bytes.span, at: 2)
}

/// The ids of the rows that are there.
nonisolated(unsafe) private var ids: [Int64] = []

private func ask() throws {
    var query = try ClusterQuery(try Archive(path: path))
    for id in ids + [32, PlaceID.least, PlaceID.least + 7] {
        guard let cluster = try? query.cluster(id) else { continue }
        _ = try? query.children(of: id)
        _ = try? query.parent(of: id)
        _ = try? query.hull(of: id)
        _ = try? query.box(of: id)
        if let leaves = try? query.leaves(of: id, limit: 10) {
            precondition(leaves.count <= 10 && leaves.count <= max(0, cluster.leaves.count))
        }
    }
    for zoom in [0, 3, 31] {
        _ = try? query.node(at: LonLat(longitude: 179.9, latitude: 1), zoom: zoom)
        _ = try? query.node(holding: 1, at: zoom)
    }
}

private let isReady: Void = { try! makeArchive() }()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzClusters(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    _ = isReady
    var dice = Dice(bytes: Array(UnsafeBufferPointer(start: start, count: count))[...])
    try! fill(&dice)
    try! fillPages(&dice)
    try? ask()
    return 0
}
