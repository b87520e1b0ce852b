import Platform
import SQLite

/// Reads points from SQLite databases and GeoPackages: a table, a view or a query, with binary
/// geometries (GeoPackage, WKB, EWKB) or with columns of coordinates.
enum DatabaseReader: PointReader {
    static let format = InputFormat.sqlite
    static let fileExtensions = ["gpkg", "sqlite", "sqlite3", "db"]

    static func recognises(_ start: Span<UInt8>) -> Bool {
        // https://sqlite.org/fileformat2.html#the_database_header
        start.starts(with: DatabaseHeader.magic)
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

    private static func checkLength(of path: String, _ name: String) throws(InputError) {
        guard let header = try? DatabaseHeader(path: path), let expected = header.cutFrom else {
            return
        }
        throw .malformed(
            input: name, location: "database",
            problem: "is cut off: it has \(header.size) of \(expected) bytes")
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
