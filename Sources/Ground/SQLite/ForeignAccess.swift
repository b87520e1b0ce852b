import CSQLite

/// The rules for statements on an untrusted file. The file's schema is code: its views and
/// generated columns run when they are read. See <https://sqlite.org/security.html>.
///
/// Our own SQL may use anything, and so may a user's query. Views may call a few functions, each
/// linear in values whose length is bounded; they may not recurse, nor read virtual tables. Columns
/// that are generated on reading, and virtual tables, cannot be read.
@safe
final class ForeignAccess {
    /// The tables and views of the file that may be read.
    private var readable: Set<String> = []
    private var virtualTables: Set<String> = []
    private var generatedColumns: Set<[String]> = []
    private var isSchemaKnown = false
    /// The name of the view of a user's own query.
    private var query: String?
    private var refusal: String?

    /// Functions whose cost is linear in their arguments and whose results are not longer than those.
    static let harmlessFunctions: Set<String> = [
        "abs", "acos", "asin", "atan", "atan2", "avg", "ceil", "ceiling", "coalesce", "cos",
        "count",
        "date", "datetime", "degrees", "exp", "floor", "hex", "ifnull", "iif", "instr",
        "json_extract", "json_type", "json_valid", "julianday", "length", "ln", "log", "log10",
        "log2", "lower", "ltrim", "max", "min", "mod", "nullif", "pi", "pow", "power", "radians",
        "round", "rtrim", "sign", "sin", "sqrt", "strftime", "substr", "substring", "sum", "tan",
        "time", "total", "trim", "trunc", "typeof", "unicode", "unixepoch", "upper", "->", "->>",
        "row_number", "rank", "dense_rank", "first_value", "last_value", "lag", "lead",
    ]

    /// Checks every statement from now on.
    func guardSchema(of connection: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_set_authorizer(
            connection,
            { context, action, first, second, _, source in
                guard let context = unsafe context else { return SQLITE_DENY }
                let access = unsafe Unmanaged<ForeignAccess>.fromOpaque(context)
                    .takeUnretainedValue()
                func text(_ pointer: UnsafePointer<CChar>?) -> String? {
                    unsafe pointer.map { unsafe String(cString: $0) }
                }
                return unsafe access.judge(action, text(first), text(second), text(source))
            }, context)
    }

    /// Allows a temporary view with this name for a user's query, which may use anything.
    func allowQuery(named name: String) { query = name }

    /// Returns the last refusal and clears it.
    func takeRefusal() -> String? {
        defer { refusal = nil }
        return refusal
    }

    /// Reads the schema when the first statement is made.
    func learnSchema(
        _ read: (_ sql: String, _ row: ([String]) -> Void) throws(SQLiteError) -> Void
    ) throws(SQLiteError) {
        guard !isSchemaKnown else { return }
        // Set first, because these statements are checked too.
        isSchemaKnown = true
        do throws(SQLiteError) {
            try read(
                "SELECT name, type = 'table' AND rootpage = 0 FROM sqlite_master "
                    + "WHERE type IN ('table', 'view')"
            ) { row in
                if row[1] == "1" { virtualTables.insert(row[0]) } else { readable.insert(row[0]) }
            }
            // Hidden 2: computed when it is read. 3 is stored, like any other column.
            try read(
                "SELECT m.name, x.name FROM sqlite_master AS m, pragma_table_xinfo(m.name) AS x "
                    + "WHERE m.type = 'table' AND m.rootpage > 0 AND x.hidden = 2"
            ) { generatedColumns.insert($0) }
        } catch {
            isSchemaKnown = false
            throw error
        }
    }

    private func judge(
        _ action: Int32, _ first: String?, _ second: String?, _ source: String?
    ) -> Int32 {
        let isOwn = source == nil || source == query
        guard let problem = problem(action, first ?? "", second ?? "", isOwn: isOwn) else {
            return SQLITE_OK
        }
        if refusal == nil {
            refusal = (isOwn ? "it " : "the view \(source ?? "") ") + problem
        }
        return SQLITE_DENY
    }

    /// The reason why an action is refused, as a continuation of "it" (the C API's "authorizer action codes").
    private func problem(
        _ action: Int32, _ first: String, _ second: String, isOwn: Bool
    ) -> String? {
        switch action {
        case SQLITE_SELECT, SQLITE_TRANSACTION: return nil
        case SQLITE_READ: return problem(reading: first, second, isOwn: isOwn)
        case SQLITE_FUNCTION:
            let isHarmless = Self.harmlessFunctions.contains(second.lowercased())
            return isHarmless || isOwn && second.lowercased() != "load_extension"
                ? nil : "calls the function \(second), which is not allowed"
        case SQLITE_RECURSIVE:
            return query != nil ? nil : "is recursive, which is not allowed"
        case SQLITE_PRAGMA: return isOwn ? nil : "uses the pragma \(first)"
        case SQLITE_CREATE_TEMP_VIEW where first == query: return nil
        // Table-valued functions such as `pragma_table_xinfo` declare themselves by it; the file
        // itself is open for reading only.
        case SQLITE_CREATE_TABLE: return nil
        case SQLITE_INSERT, SQLITE_UPDATE:
            let isQuery = query != nil && first.hasPrefix("sqlite_temp_")
            return isQuery || first == "sqlite_master" ? nil : "does more than read"
        default: return "does more than read"
        }
    }

    private func problem(reading table: String, _ column: String, isOwn: Bool) -> String? {
        if virtualTables.contains(table) { return "reads the virtual table \(table)" }
        if generatedColumns.contains([table, column]) {
            return "reads the column \(column) of \(table), which is computed when it is read"
        }
        let isKnown = readable.contains(table) || table.hasPrefix("sqlite_") || table == query
        return isKnown || isOwn ? nil : "reads \(table), which is not a table or view of the file"
    }
}
