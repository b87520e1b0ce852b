import Platform
import SQLite

/// Reads points from SQLite databases and GeoPackages: a table, a view or a query, with binary
/// geometries (GeoPackage, WKB, EWKB) or with columns of coordinates.
enum DatabaseReader: PointReader {
    static let format = InputFormat.sqlite
    static let fileExtensions = ["gpkg", "sqlite", "sqlite3", "db"]

    static func recognises(_ start: Span<UInt8>) -> Bool {
        // https://sqlite.org/fileformat2.html#the_database_header
        let magic = Array("SQLite format 3\0".utf8)
        return start.count >= magic.count && magic.indices.allSatisfy { start[$0] == magic[$0] }
    }

    static func read(_ input: OpenInput, into collector: PointCollector) throws(InputError) {
        if let path = input.path { return try read(path, input.name, into: collector) }
        // A database needs random access, so one from a pipe is copied to a file first.
        var copy = try InputCopy(in: collector.options.temporaryDirectory, of: input.name)
        try copy.append(contentsOf: input)
        try read(copy.path, input.name, into: collector)
        extendLifetime(copy)
    }

    private static func read(
        _ path: String, _ name: String, into collector: PointCollector
    ) throws(InputError) {
        let database = try open(path, name, collector.options)
        let catalog = try catalog(of: database, name)
        let selection = try DatabaseSelection(
            from: database, catalog, options: collector.options, input: name)
        var rows = try DatabaseRows(
            selection, catalog, builder: collector.makeBuilder(), of: name)
        let limit = selection.isView ? rowLimit(path, collector.options) : .max
        var statement = try prepare(selection.sql, in: database, name)
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

    /// The limit of the rows of a file's view: no view meant to be read has as many rows as the
    /// file has bytes, and one that multiplies tables may never end.
    private static func rowLimit(_ path: String, _ options: InputOptions) -> Int {
        max(options.viewRows, (try? FileStatus(of: path).size) ?? 0)
    }
}

// Each of these functions converts an error of SQLite into one of the input.
extension DatabaseReader {
    private static func open(
        _ path: String, _ name: String, _ options: InputOptions
    ) throws(InputError) -> Database {
        var limits = ForeignLimits()
        limits.isCancelled = options.isCancelled
        do { return try Database(foreign: path, limits: limits) } catch {
            throw error.inInput(name, at: "database")
        }
    }

    private static func catalog(
        of database: borrowing Database, _ name: String
    ) throws(InputError) -> DatabaseCatalog {
        do { return try DatabaseCatalog(of: database) } catch {
            throw error.inInput(name, at: "database")
        }
    }

    private static func prepare(
        _ sql: String, in database: borrowing Database, _ name: String
    ) throws(InputError) -> Statement {
        do { return try database.prepare(sql) } catch {
            throw error.inInput(name, at: "database")
        }
    }

    private static func step(
        _ statement: inout Statement, _ name: String, _ row: Int
    ) throws(InputError) -> Bool {
        do { return try statement.step() } catch {
            throw error.inInput(name, at: "after row \(row)")
        }
    }
}
