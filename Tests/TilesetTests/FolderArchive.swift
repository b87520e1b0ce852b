import ArchiveContract
import Foundation
import Geometry
import TileArchive

/// A container of its own, for tests: a folder with a file for each tile and each leaf block. All
/// that a new kind of archive needs is in this one type and its parts.
struct FolderArchive: ArchiveContainer {
    static let name = "Folder"
    static let endings = ["tiles"]
    static func mayStart(with bytes: [UInt8]) -> Bool { bytes.isEmpty }

    static func sink(
        to path: String, options: SinkOptions
    ) throws(ArchiveError) -> any ArchiveSink {
        FolderSink(path)
    }

    /// A plain value, which is written as JSON.
    struct Contents: Codable {
        var tiles: [[UInt32]] = []
        var blocks: [Int64] = []
        var hulls: [[Int32]] = []
        var clusters: [[Int64]] = []
        var pages: [Int64] = []
        var name = ""
        var covey = ""
    }

    let path: String
    let contents: Contents
    let metadata: ArchiveMetadata
    let layout = ArchiveLayout(name: "folder", words: "a file a tile")
    let warnings: [ArchiveWarning] = []
    let hasClusters = true

    init(path: String) throws(ArchiveError) {
        self.path = path
        do {
            let data = try Data(contentsOf: URL(filePath: path + "/contents.json"))
            contents = try JSONDecoder().decode(Contents.self, from: data)
            var metadata = ArchiveMetadata(name: contents.name)
            metadata.covey = try .init(parsing: contents.covey)
            self.metadata = metadata
        } catch {
            throw .unreadable(path: path, reason: "\(error)")
        }
    }

    func tileFinder(cacheBytes: Int) -> any TileFinder { FolderReader(self) }
    func tileWalk(zooms: ClosedRange<Int>) -> any TileWalk { FolderReader(self, zooms) }
    func clusterFinder() -> any ClusterFinder { FolderReader(self) }
    func clusterWalk() -> any ClusterWalk { FolderClusters(self) }
    func leafBlockWalk() -> any LeafBlockWalk { FolderReader(self) }
    func idPageWalk() -> any IDPageWalk { FolderPages(self) }
    func zoomSummaries() -> [ZoomSummary] { [] }
    func audit() -> ContainerAudit { ContainerAudit() }

    func bytes(_ name: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: "\(path)/\(name)"))).map(Array.init)
    }

    var rows: [ClusterRecord] {
        contents.clusters.compactMap {
            ClusterRecord(
                .init(
                    key: $0[0], leaves: $0[1], x: $0[2], y: $0[3], up: $0[4] > 0 ? $0[4] : nil,
                    shift: $0[5]))
        }
    }
}

final class FolderSink: ArchiveSink {
    let tileOrder = TileOrder.alongHilbertCurve
    let wantsBlockIndex = false
    private let path: String
    private var contents = FolderArchive.Contents()
    /// In the order in which they came.
    private(set) var tiles: [TileID] = []

    init(_ path: String) {
        self.path = path
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true)
    }

    private func put(_ bytes: Span<UInt8>, _ name: String) {
        let data = bytes.withUnsafeBufferPointer { Data($0) }
        _ = FileManager.default.createFile(atPath: "\(path)/\(name)", contents: data)
    }

    func write(_ tiles: [TileID], gzip bytes: Span<UInt8>, ends: [Int]) {
        for (index, tile) in tiles.enumerated() {
            put(
                bytes.extracting((index == 0 ? 0 : ends[index - 1])..<ends[index]),
                "tile-\(tile.z)-\(tile.x)-\(tile.y)")
            contents.tiles.append([UInt32(tile.z), tile.x, tile.y])
        }
    }

    func write(_ block: EncodedBlock) {
        put(block.leaves.span, "block-\(block.number)")
        contents.blocks.append(block.number)
        contents.hulls.append(block.hull.flatMap { [$0.x, $0.y] })
        for row in block.clusters.map(\.columns) {
            contents.clusters.append(
                [row.key, row.leaves, row.x, row.y, row.up ?? 0, row.shift ?? 0])
        }
    }

    func write(_ page: EncodedPage) {
        put(page.bytes.span, "page-\(page.first)")
        contents.pages.append(page.first)
    }

    func finish(_ metadata: ArchiveMetadata) {
        contents.name = metadata.name
        contents.covey = metadata.covey?.text() ?? ""
        let data = try? JSONEncoder().encode(contents)
        _ = FileManager.default.createFile(atPath: path + "/contents.json", contents: data)
    }
}

private final class FolderReader: TileFinder, TileWalk, ClusterFinder, LeafBlockWalk {
    private let folder: FolderArchive
    private var tiles: ArraySlice<TileID>
    private var nextBlock = 0
    let strayCount = 0

    init(_ folder: FolderArchive, _ zooms: ClosedRange<Int> = 0...31) {
        self.folder = folder
        tiles =
            folder.contents.tiles.map { TileID(z: UInt8($0[0]), x: $0[1], y: $0[2]) }
            .filter { zooms.contains(Int($0.z)) }
            .sorted { ($0.z, $0.x, $0.tmsRow) < ($1.z, $1.x, $1.tmsRow) }[...]
    }

    func withTile(at tile: TileID, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard let bytes = folder.bytes("tile-\(tile.z)-\(tile.x)-\(tile.y)") else { return false }
        body(bytes.span)
        return true
    }

    func next(_ bytes: inout [UInt8]) -> TileID? {
        guard let tile = tiles.popFirst() else { return nil }
        _ = withTile(at: tile) { bytes = Array(copying: $0) }
        return tile
    }

    func row(_ search: ClusterSearch) -> ClusterRow? {
        switch search {
        case .exactly(let key): folder.rows.first { $0.key == key }.map(ClusterRow.cluster)
        case .from(let bound):
            folder.rows.first { $0.key.packed >= bound }.map(ClusterRow.cluster)
        case .upTo(let key): folder.rows.last { $0.key <= key }.map(ClusterRow.cluster)
        }
    }

    func page(of id: Int64) throws(ArchiveError) -> IDPage? {
        guard let first = folder.contents.pages.last(where: { $0 <= id }) else { return nil }
        var scan = try Archive(folder, named: "folder", path: folder.path).scanIDs()
        while let page = try scan.next() { if page.first == first { return page } }
        return nil
    }

    var lastBlock: Int64? { folder.contents.blocks.last }

    func withLeafBlock(_ number: Int64, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard let bytes = folder.bytes("block-\(number)") else { return false }
        body(bytes.span)
        return true
    }

    func withHull(ofLeafBlock number: Int64, _ body: (Span<UInt8>) -> Void) -> Bool {
        guard let index = folder.contents.blocks.firstIndex(of: number) else { return false }
        body(packedHull(index).span)
        return true
    }

    private func packedHull(_ index: Int) -> [UInt8] {
        let numbers = folder.contents.hulls[index]
        return GridPoint.pack(
            stride(from: 0, to: numbers.count, by: 2).map {
                GridPoint(x: numbers[$0], y: numbers[$0 + 1])
            })
    }

    func next(_ bytes: inout [UInt8], hull: inout [UInt8]) -> Int64? {
        guard nextBlock < folder.contents.blocks.count else { return nil }
        defer { nextBlock += 1 }
        let number = folder.contents.blocks[nextBlock]
        hull = packedHull(nextBlock)
        _ = withLeafBlock(number) { bytes = Array(copying: $0) }
        return number
    }
}

private final class FolderClusters: ClusterWalk {
    private var rows: ArraySlice<ClusterRecord>

    init(_ folder: FolderArchive) { rows = folder.rows[...] }

    func next() -> ClusterRow? { rows.popFirst().map(ClusterRow.cluster) }
}

private final class FolderPages: IDPageWalk {
    private let folder: FolderArchive
    private var pages: ArraySlice<Int64>

    init(_ folder: FolderArchive) {
        self.folder = folder
        pages = folder.contents.pages[...]
    }

    func next() -> EncodedPage? {
        guard let first = pages.popFirst(), let bytes = folder.bytes("page-\(first)") else {
            return nil
        }
        return EncodedPage(first: first, bytes: bytes)
    }
}

extension [UInt8] {
    init(copying bytes: Span<UInt8>) {
        self = bytes.withUnsafeBufferPointer { Array($0) }
    }
}
