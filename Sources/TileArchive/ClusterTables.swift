import SQLite

/// Covey's own two tables while they are written.
struct ClusterTables: ~Copyable {
    private var blockInsert: Statement
    private var clusterInsert: Statement

    static let schema = """
        CREATE TABLE covey_leaf_blocks (block INTEGER PRIMARY KEY, data BLOB, hull BLOB);
        CREATE TABLE covey_clusters (
            id INTEGER PRIMARY KEY, leaves INTEGER, x INTEGER, y INTEGER, up INTEGER);
        """

    init(in database: borrowing Database) throws(SQLiteError) {
        try database.execute(Self.schema)
        let blockInsert = try database.prepare(
            "INSERT INTO covey_leaf_blocks VALUES (?1, ?3, ?2)")
        clusterInsert = try database.prepare(
            "INSERT INTO covey_clusters VALUES (?1, ?2, ?3, ?4, ?5)")
        self.blockInsert = blockInsert
    }

    mutating func write(
        block: Int64, _ data: Span<UInt8>, hull: [GridPoint]
    ) throws(SQLiteError) {
        let corners = GridPoint.pack(hull)
        try blockInsert.bind(block, at: 1)
        try blockInsert.bind(corners.span, at: 2)
        try blockInsert.run(binding: data, at: 3)
    }

    mutating func write(_ record: ClusterRecord) throws(SQLiteError) {
        try clusterInsert.bind(record.id, at: 1)
        try clusterInsert.bind(record.leafCount, at: 2)
        try clusterInsert.bind(Int64(record.place.x), at: 3)
        try clusterInsert.bind(Int64(record.place.y), at: 4)
        // The way up to the parent's id. Small numbers take fewer bytes in a row, and the commonest,
        // 1 for a first child that formed one zoom deeper, takes none.
        if let parent = record.parent {
            try clusterInsert.bind(record.id - parent.id, at: 5)
        } else {
            try clusterInsert.bindNull(at: 5)
        }
        try clusterInsert.run()
    }
}
