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

private let description = ClusterDescription(
    layers: [
        .init(
            name: "a", leaves: 0..<40, minZoom: 0, maxZoom: 6,
            clustering: .init(radius: RadiusByZoom(50), algorithm: "spaced"))
    ], buffer: 8, ids: .placed)

/// An archive of 40 points, without payloads.
private func makeArchive() throws {
    var options = SinkOptions()
    options.replacesExisting = true
    let writer = try MBTilesWriter(to: path, options: options)
    var gzip = GzipCompressor(level: 1)
    try writer.write(TileID(z: 0, x: 0, y: 0), gzip: gzip.compress([UInt8]().span).span)
    let none: [UInt8] = []
    try writer.write(payload: none.span, sum: "")
    try writer.finish(ArchiveMetadata(name: "fuzz"))
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

    mutating func point() -> GridPoint {
        GridPoint(
            x: Int32(truncatingIfNeeded: number() << 22),
            y: Int32(truncatingIfNeeded: number() << 22))
    }
}

/// Rows as they may be, in the order that they have to be in.
private func rows(_ dice: inout Dice) -> [ClusterRecord] {
    var rows: [ClusterRecord] = []
    for _ in 0..<(dice.small() % 12) {
        let key = ClusterKey(firstLeaf: dice.small() % 48, zoom: UInt8(dice.small() % 32))
        let shift = dice.small() % 5 == 0 ? dice.number() : 0
        rows.append(
            ClusterRecord(
                key: key, leafCount: dice.small() % 48, position: dice.point(), parent: nil,
                shift: shift))
    }
    return rows.sorted { $0.key < $1.key }
}

/// Blocks of which the overview says as many leaves as it should, or other numbers.
private func payloads(_ dice: inout Dice) -> (ClusterDescription.Blocks, [[UInt8]]) {
    var gzip = GzipCompressor(level: 1)
    var overview = BlockOverview()
    var payloads: [[UInt8]] = []
    let count = 1 + dice.small() % 3
    var left: Int64 = 40
    for number in 0..<count {
        let leaves = number == count - 1 ? left : min(left, 1 + dice.small() % 30)
        left -= leaves
        overview.counts.append(leaves)
        overview.boxes.append(GridBox(around: [dice.point(), dice.point()]) ?? .nowhere)
        let block = ClusterBlock(
            leaves: 0..<max(leaves, 0), hull: (0..<dice.small() % 4).map { _ in dice.point() },
            rows: rows(&dice))
        let points = gzip.compress(Array(dice.bytes.prefix(60)).span)
        payloads.append(ClusterPayload.member(holding: block.packed, with: &gzip) + points)
        ids += block.rows.map(description.id)
    }
    let known = Set(ids.filter { $0 > 0 && $0 < ClusterIDs.limit }).sorted()
    if let first = known.first {
        overview.pages = [
            .init(first: first, blocks: (0..<1 + dice.small() % 3).map { _ in dice.number() })
        ]
        let page = IDPage(ids: known, blocks: known.map { _ in Int(dice.small() % 4) })
        payloads.append(ClusterPayload.member(holding: page.packed, with: &gzip))
    }
    for _ in 0..<dice.small() % 3 {
        let begin = dice.small() % 4
        overview.large.append(
            LargeCluster(
                blocks: begin..<begin + 1 + dice.small() % 3, zoom: UInt8(dice.small() % 32),
                position: dice.point(), shift: dice.small() % 5 == 0 ? dice.number() : 0))
    }
    overview.large.sort { ($0.blocks.lowerBound, $0.zoom) < ($1.blocks.lowerBound, $1.zoom) }
    let chapterSize: Int64? = dice.small() % 2 == 0 ? 1 + dice.small() % 2 : nil
    addWhole(overview, chapterSize: chapterSize, &payloads, &dice, &gzip)
    let blocks = ClusterDescription.Blocks(
        count: count, pages: Int64(overview.pages.count), outlines: 1, chapterSize: chapterSize,
        hash: "")
    return (blocks, payloads)
}

/// Adds what counts over all blocks.
private func addWhole(
    _ overview: BlockOverview, chapterSize: Int64?, _ payloads: inout [[UInt8]], _ dice: inout Dice,
    _ gzip: inout GzipCompressor
) {
    let outlines = Outlines([(0..<dice.small() % 5).map { _ in dice.point() }])
    payloads.append(ClusterPayload.member(holding: outlines.packed, with: &gzip))
    let chapters = chapterSize.flatMap { packed(overview, chapterSize: Int($0), &dice) }
    for packed in chapters ?? [overview.packed] {
        payloads.append(ClusterPayload.member(holding: packed, with: &gzip))
    }
    // One of them may be what the bytes say.
    if dice.small() % 4 == 0 {
        let place = Int(dice.small()) % payloads.count
        payloads[place] = ClusterPayload.member(holding: Array(dice.bytes), with: &gzip)
    }
}

/// The overview in chapters, of which some numbers are others; nil if it cannot be divided.
private func packed(
    _ overview: BlockOverview, chapterSize: Int, _ dice: inout Dice
) -> [[UInt8]]? {
    var overview = overview
    guard let table = LeafBlockTable(counts: overview.counts) else { return nil }
    overview.large.removeAll { $0.blocks.upperBound > table.count }
    overview.pages = overview.pages.map { .init(first: max($0.first, 0), blocks: $0.blocks) }
    var divided = DividedOverview(
        overview, in: table, chapterSize: chapterSize,
        id: { max(description.id(of: $0), 0) })
    let chapter = Int(dice.small()) % divided.chapters.count
    switch dice.small() % 6 {
    case 0: divided.contents.counts[chapter] = abs(dice.small())
    case 1: divided.contents.large[chapter] = dice.small()
    case 2: divided.chapters[chapter].overview.counts = [dice.small()]
    case 3: divided.chapters.swapAt(0, chapter)
    case 4: divided.contents.wide = []
    default: break
    }
    return divided.chapters.map(\.packed) + [divided.contents.packed]
}

private func fill(_ dice: inout Dice) throws {
    ids = []
    let (blocks, payloads) = payloads(&dice)
    let database = try Database(path: path, mode: .readWriteCreate)
    try database.execute(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; DELETE FROM \(IndexTable.blocks); DELETE FROM metadata WHERE name = 'covey'"
    )
    var account = description
    account.blocks = blocks
    var said = try database.prepare("INSERT INTO metadata VALUES ('covey', ?1)")
    try said.bind(account.json.text(), at: 1)
    try said.run()
    var insert = try database.prepare("INSERT INTO \(IndexTable.blocks) VALUES (?1, ?2)")
    for (number, payload) in payloads.enumerated() {
        try insert.bind(Int64(number), at: 1)
        try insert.run(binding: payload.span, at: 2)
    }
    try database.execute("COMMIT")
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
    let rows = try Archive(path: path).scanClusters()
    while let row = try? rows.next(), case .cluster = row {}
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
    try? ask()
    return 0
}
