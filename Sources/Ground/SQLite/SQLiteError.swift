/// Why SQLite refused an operation: where it happened, and SQLite's message.
public enum SQLiteError: Error, Equatable, Sendable {
    case cannotOpen(path: String, SQLiteFault)
    /// A statement could not be prepared, bound or run.
    case failed(sql: String, SQLiteFault)
}

/// SQLite's own description of a failure.
public struct SQLiteFault: Equatable, Sendable {
    /// The extended result code: see <https://sqlite.org/rescode.html>.
    public let code: Int32
    public let message: String

    public init(code: Int32, message: String) {
        self.code = code
        self.message = message
    }

    /// The code of a cancelled statement: our own extension of the interruption (9).
    static let cancelled: Int32 = 9 | 255 << 8

    /// The kinds that callers distinguish; everything else is `other`.
    public enum Kind: Sendable {
        case busy, cancelled, cannotOpen, constraint, corrupt, full, interrupted, inputOutput,
            notADatabase
        case outOfMemory, readOnly, refused, tooBig, other
    }

    public var kind: Kind {
        // The low byte is the primary code: see <https://sqlite.org/rescode.html#pve>.
        if code == Self.cancelled { return .cancelled }
        return switch code & 0xFF {
        case 5, 6: .busy
        case 7: .outOfMemory
        case 8: .readOnly
        case 9: .interrupted
        case 10: .inputOutput
        case 11: .corrupt
        case 13: .full
        case 14: .cannotOpen
        case 18: .tooBig
        case 19: .constraint
        case 23: .refused
        case 26: .notADatabase
        default: .other
        }
    }
}

extension SQLiteError {
    public var fault: SQLiteFault {
        switch self {
        case .cannotOpen(_, let fault), .failed(_, let fault): fault
        }
    }
}

extension SQLiteError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotOpen(let path, let fault):
            "\(path): SQLite cannot open it: \(fault.message)"
        case .failed(let sql, let fault):
            "SQLite: \(fault.message) (code \(fault.code)), in: \(sql)"
        }
    }
}
