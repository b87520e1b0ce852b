import SQLite

extension SQLiteError {
    /// The error as an error of an input.
    func inInput(_ input: String, at location: String) -> InputError {
        switch fault.kind {
        case .cannotOpen: .cannotOpen(input: input, reason: fault.message)
        case .cancelled: .cancelled(input: input)
        case .busy:
            .ambiguous(
                input: input, problem: "\(location): another program is writing to it",
                advice: "wait until that has finished, or read a copy of it")
        case .refused, .interrupted:
            .ambiguous(
                input: input, problem: "\(location): \(fault.message)",
                advice: "what a file's own views and columns may do is limited; say what to read "
                    + "with --sql QUERY, which may do more")
        case .full:
            .ambiguous(
                input: input, problem: "\(location): sorting takes more than a GiB on the disk",
                advice: "read a table, or make one of the view first: CREATE TABLE … AS SELECT …")
        default: .malformed(input: input, location: location, problem: fault.message)
        }
    }
}

extension InputError {
    /// The error for a view with more rows than its file should have.
    static func endlessView(input: String, rows: Int) -> InputError {
        .ambiguous(
            input: input,
            problem:
                "its view has more than \(rows) rows, the most that a file of its size may give",
            advice: "if it is meant so, read it with --sql 'SELECT * FROM VIEW'")
    }

    static func spatiaLite(input: String) -> InputError {
        .ambiguous(
            input: input,
            problem: "is a SpatiaLite database, whose geometries are in a form of its own",
            advice: "convert it first: ogr2ogr -f GPKG OUT.gpkg IN.sqlite")
    }
}
