import ArchiveContract
import Basics
import Compression
import Geometry
import JSON
import SQLite
import TileArchive

/// MBTiles archives as they were to format 3, which are read and written no more.
public enum OldArchive {
    public typealias Block = (number: Int64, gzip: [UInt8], hull: [GridPoint])

    /// Writes one whose ids count leaves from a base on (format 2).
    public static func write(
        to path: String, _ description: ClusterDescription, idBase: Int64,
        tiles: [(TileID, [UInt8])] = [], blocks: [Block], clusters: [ClusterRecord]
    ) throws {
        var metadata = ArchiveMetadata(name: "old")
        metadata.covey = account(description, idBase: idBase)
        try write(to: path, metadata, tiles: tiles, blocks: blocks, clusters: clusters)
    }

    /// Writes one whose metadata say what format it is of.
    public static func write(
        to path: String, _ metadata: ArchiveMetadata, tiles: [(TileID, [UInt8])],
        blocks: [Block], clusters: [ClusterRecord]
    ) throws {
        var options = SinkOptions()
        options.replacesExisting = true
        let writer = try MBTilesWriter(to: path, options: options)
        for (tile, bytes) in tiles { try writer.write(tile, gzip: bytes.span) }
        try writer.finish(metadata)
        try addTables(to: path, blocks: blocks, clusters: clusters)
    }

    /// What an archive of format 2 says of its clusters.
    public static func account(
        _ description: ClusterDescription, idBase: Int64
    ) -> JSONValue {
        guard var account = description.json.asObject else { return description.json }
        account["format"] = 2
        account["idBase"] = .integer(idBase)
        account["leavesInBlock"] = .integer(description.equalBlocks)
        return .object(account)
    }

    private static func addTables(
        to path: String, blocks: [Block], clusters: [ClusterRecord]
    ) throws {
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute(
            """
            PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;
            CREATE TABLE covey_leaf_blocks (block INTEGER PRIMARY KEY, data BLOB, hull BLOB);
            CREATE TABLE covey_clusters (
                key INTEGER PRIMARY KEY, leaves INTEGER, x INTEGER, y INTEGER, up INTEGER,
                shift INTEGER);
            """)
        var insert = try database.prepare("INSERT INTO covey_leaf_blocks VALUES (?1, ?3, ?2)")
        for block in blocks {
            // The x and y of each corner as four little-endian bytes.
            let corners: [UInt8] = block.hull.flatMap { point in
                [point.x, point.y].flatMap { number in
                    (0..<4).map { UInt8(truncatingIfNeeded: number >> Int32(8 * $0)) }
                }
            }
            try insert.bind(block.number, at: 1)
            try insert.bind(corners.span, at: 2)
            try insert.run(binding: block.gzip.span, at: 3)
        }
        insert = try database.prepare(
            "INSERT INTO covey_clusters VALUES (?1, ?2, ?3, ?4, ?5, NULL)")
        for cluster in clusters {
            try insert.bind(cluster.key.packed, at: 1)
            try insert.bind(cluster.leafCount, at: 2)
            try insert.bind(Int64(cluster.position.x), at: 3)
            try insert.bind(Int64(cluster.position.y), at: 4)
            if let parent = cluster.parent {
                try insert.bind(cluster.key.packed - parent.packed, at: 5)
            } else {
                try insert.bindNull(at: 5)
            }
            try insert.run()
        }
        try database.execute("COMMIT")
    }
}

extension OldArchive {
    /// Puts tables of format 3 in the place of an MBTiles archive's payloads, which have no more points than such a
    /// block has.
    public static func makeOld(_ path: String) throws {
        let archive = try Archive(path: path)
        let table = try archive.leafBlockTable()
        precondition(table.leafCount <= LeafBlockLayout.mostLeaves, "more than one block")
        guard let description = try archive.description?.get(),
            var account = archive.metadata.covey?.asObject
        else { return }
        var rows: [ClusterRecord] = []
        let scan = try archive.scanClusters()
        while case .cluster(let row)? = try scan.next() { rows.append(row) }
        let block = try joinedBlock(of: archive)
        account["format"] = 3
        account["blocks"] = nil
        account["leavesInBlock"] = .integer(LeafBlockLayout.mostLeaves)
        try addTables(to: path, blocks: [block], clusters: rows)
        let database = try Database(path: path, mode: .readWriteCreate)
        try database.execute(
            """
            DROP TABLE covey_blocks;
            CREATE TABLE covey_cluster_ids (first INTEGER PRIMARY KEY, data BLOB);
            """)
        for row in rows where row.shift != 0 {
            try database.execute(
                "UPDATE covey_clusters SET shift = \(row.shift) WHERE key = \(row.key.packed)")
        }
        var change = try database.prepare("UPDATE metadata SET value = ?1 WHERE name = 'covey'")
        try change.bind(JSONValue.object(account).text(), at: 1)
        try change.run()
        let ids = rows.map { (id: description.id(of: $0), leaf: $0.key.firstLeaf) }
            .sorted { $0.id < $1.id }
        guard let first = ids.first else { return }
        var insert = try database.prepare("INSERT INTO covey_cluster_ids VALUES (?1, ?2)")
        try insert.bind(first.id, at: 1)
        try insert.run(binding: page(ids).span, at: 2)
    }

    /// All points in one block: tiles one behind another are one tile.
    private static func joinedBlock(of archive: Archive) throws -> Block {
        var bytes: [UInt8] = []
        var hull: [GridPoint] = []
        var inflater = GzipInflater()
        var blocks = try archive.scanLeafBlocks()
        while try blocks.next() != nil {
            bytes += try inflater.inflate(blocks.bytes, limit: LeafBlockLayout.largestBlock)
            hull += blocks.hull ?? []
        }
        var gzip = GzipCompressor(level: 6)
        return (0, gzip.compress(bytes.span), GridHull(of: hull).corners)
    }

    private static func page(_ ids: [(id: Int64, leaf: Int64)]) -> [UInt8] {
        func list(_ field: UInt64, _ values: [UInt64]) -> [UInt8] {
            var packed: [UInt8] = []
            for value in values { Varint.append(value, to: &packed) }
            var bytes: [UInt8] = []
            Varint.append(field << 3 | 2, to: &bytes)
            Varint.append(UInt64(packed.count), to: &bytes)
            return bytes + packed
        }
        let before = [(id: Int64(0), leaf: Int64(0))] + ids
        let steps = zip(ids, before).map { UInt64($0.id - $1.id) }
        let leaves = zip(ids, before).map { Varint.zigzag($0.leaf - $1.leaf) }
        let message: [UInt8] = [8, 1] + list(2, steps) + list(3, leaves)
        var tile: [UInt8] = []
        Varint.append(102 << 3 | 2, to: &tile)
        Varint.append(UInt64(message.count), to: &tile)
        var gzip = GzipCompressor(level: 6)
        return ClusterPayload.member(holding: tile + message, with: &gzip)
    }
}
