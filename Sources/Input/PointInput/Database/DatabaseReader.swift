import Platform
import SQLite

/// Reads points from SQLite databases and GeoPackages: a table, a view or a query, with binary
/// geometries (GeoPackage, WKB, EWKB) or with columns of coordinates.
enum DatabaseReader: PointReader {
    static let format = InputFormat.sqlite
    static let fileExtensions = ["gpkg", "sqlite", "sqlite3", "db"]

    static func recognises(_ start: Span<UInt8>) -> Bool {
        // https://sqlite.org/fileformat2.html#the_database_header
        start.starts(with: Array("SQLite format 3\0".utf8))
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        // A database needs random access.
        try input.withPath(in: collector.options.temporaryDirectory) { path throws(InputError) in
            try read(path, input.name, into: collector)
        }
    }

    private static func read(
        _ path: String, _ name: String, into collector: PointCollector
    ) throws(InputError) {
        var limits = ForeignLimits()
        limits.isCancelled = collector.options.isCancelled
        func fault(_ error: SQLiteError) -> InputError { error.inInput(name, at: "database") }
        let database: Database
        do { database = try Database(foreign: path, limits: limits) } catch { throw fault(error) }
        let catalog: DatabaseCatalog
        do { catalog = try DatabaseCatalog(of: database) } catch { throw fault(error) }
        try checkLength(of: path, name)
        let selection = try DatabaseSelection(
            from: database, catalog, options: collector.options, input: name)
        var rows = try DatabaseRows(selection, catalog, builder: collector.makeBuilder())
        let limit = selection.isView ? rowLimit(path, collector.options) : .max
        var statement: Statement
        do { statement = try database.prepare(selection.sql) } catch { throw fault(error) }
        var count = 0
        while try step(&statement, name, count) {
            count += 1
            guard count <= limit else { throw .endlessView(input: name, rows: limit) }
            try rows.pass(statement)
            if rows.builder.isFull || rows.builder.isStopped {
                try collector.collect(&rows.builder)
            }
        }
        try collector.collect(&rows.builder)
    }

    /// Rejects a file that is cut within its last page, of which SQLite takes the rest as zeros.
    private static func checkLength(of path: String, _ name: String) throws(InputError) {
        let file = try InputFile(path, of: name)
        let head = try file.bytes(at: 0, upTo: 100)
        func number(_ offset: Int) -> UInt32 {
            head[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        // https://sqlite.org/fileformat2.html#in_header_database_size: a file of an old program does not say its
        // length, and what has not been written yet is in a file beside it.
        guard head.count == 100, number(24) == number(92), !File.isReadable(path + "-wal") else {
            return
        }
        let pageSize = Int(number(16) >> 16)
        let size = Int(number(28)) * (pageSize == 1 ? 65_536 : pageSize)
        guard file.size < size else { return }
        throw .malformed(
            input: name, location: "database",
            problem: "is cut off: it has \(file.size) of \(size) bytes")
    }

    /// The limit of the rows of a file's view: no view meant to be read has as many rows as the
    /// file has bytes, and one that multiplies tables may never end.
    private static func rowLimit(_ path: String, _ options: InputOptions) -> Int {
        max(options.viewRows, (try? FileStatus(of: path).size) ?? 0)
    }

    private static func step(
        _ statement: inout Statement, _ name: String, _ row: Int
    ) throws(InputError) -> Bool {
        do { return try statement.step() } catch {
            throw error.inInput(name, at: "after row \(row)")
        }
    }
}
