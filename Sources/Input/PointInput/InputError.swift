import Projections

/// An error that ends the reading.
public enum InputError: Error, Equatable, Sendable {
    /// The first invalid record; `seen` counts the records of its kind so far.
    case rejected(Rejection, seen: Int)
    /// More invalid records than allowed, with the last one that was located.
    case tooManyRejected(limit: Int, Rejection)
    case cannotOpen(input: String, reason: String)
    case missingProgram(input: String, program: String, package: String)
    case isDirectory(input: String)
    case empty(input: String)
    case unknownFormat(input: String, start: String)
    /// A file of another kind: an archive, a picture, or unknown bytes.
    case foreign(input: String, ForeignInput)
    case readFailed(input: String, offset: Int, reason: String)
    case changedWhileRead(input: String)
    /// The input as a whole is damaged or of an unknown version.
    case malformed(input: String, location: String, problem: String)
    /// A record, or what looks like one, is longer than the limit.
    case recordTooLong(input: String, limit: Int)
    case unsupportedCRS(input: String, name: String, ProjectionError)
    /// Each geometry may have its own system, but no real file has so many of them.
    case tooManyCRS(input: String, limit: Int)
    /// The inputs have more attribute names than records can refer to.
    case tooManyNames(input: String, limit: Int)
    case noSuchColumn(input: String, column: String, available: [String])
    case noCoordinates(input: String, available: [String])
    /// A choice that the options must make: which table, which geometry.
    case ambiguous(input: String, problem: String, advice: String)
    /// Two columns have the same name, so that it refers to neither.
    case duplicateColumn(input: String, column: String)
    /// A text with old line ends; `remedy` is a command.
    case wrongEncoding(input: String, found: String, remedy: String)
    case cancelled(input: String)
    case noTemporaryFile(directory: String, reason: String)
    /// The copy of an input that can be read only once cannot be written any further.
    case copyTooLarge(input: String, directory: String, bytes: Int, reason: String)
}

extension InputError: CustomStringConvertible {
    /// The problem and its place, in one line.
    public var description: String {
        switch self {
        case .rejected(let rejection, _): rejection.description
        case .tooManyRejected(let limit, let last):
            "\(last); more than \(limit) records are not valid"
        case .cannotOpen(let input, let reason): "\(input): cannot be opened: \(reason)"
        case .missingProgram(let input, let program, _):
            "\(input): reading it takes the program \(program), which is not installed"
        case .isDirectory(let input): "\(input): is a directory without files of points"
        case .empty(let input): "\(input): holds no data"
        case .unknownFormat(let input, let start):
            "\(input): is of no known format; it starts with \(start)"
        case .foreign(let input, let kind): "\(input): \(kind)"
        case .readFailed(let input, let offset, let reason):
            "\(input): byte \(offset): reading failed: \(reason)"
        case .changedWhileRead(let input): "\(input): changed while it was read"
        case .malformed(let input, let location, let problem): "\(input): \(location): \(problem)"
        case .recordTooLong(let input, let limit):
            "\(input): has a record of more than \(limit >> 20) MiB, or one that never ends"
        case .unsupportedCRS(let input, let name, let fault):
            "\(input): the coordinate system \(name) cannot be used: \(fault)"
        case .tooManyCRS(let input, let limit):
            "\(input): its geometries name more than \(limit) coordinate systems"
        case .tooManyNames(let input, let limit):
            "\(input): has attributes of more than \(limit) names, those of inputs before it included"
        case .noSuchColumn(let input, let column, _): "\(input): has no column \(column)"
        case .noCoordinates(let input, _): "\(input): no columns look like coordinates"
        case .ambiguous(let input, let problem, _): "\(input): \(problem)"
        case .duplicateColumn(let input, let column):
            "\(input): has more than one column of the name \(column)"
        case .wrongEncoding(let input, let found, _): "\(input): \(found)"
        case .cancelled(let input): "\(input): reading was stopped"
        case .noTemporaryFile(let directory, let reason):
            "\(directory): a temporary file cannot be made there: \(reason)"
        case .copyTooLarge(let input, let directory, let bytes, let reason):
            "\(input): its copy in \(directory) ends after \(bytes) bytes: \(reason)"
        }
    }

    /// What to do about it, if there is a remedy.
    public var advice: String? {
        switch self {
        case .rejected(let rejection, let seen):
            rejection.remedy ?? "\(rejection.advice) (\(seen) seen so far)"
        case .tooManyRejected: "use --skip-invalid without a number to leave all of them out"
        case .cannotOpen(let input, _) where input.contains("\u{FFFD}"):
            "names must be UTF-8: give it another, or read it as standard input (-)"
        case .cannotOpen: "check its name, and that it may be read"
        case .missingProgram(_, _, let package): "install it: apt install \(package)"
        case .isDirectory: "name the files in it"
        case .empty: "check that whatever writes it has finished"
        case .unknownFormat:
            "say what it is with --format \(InputFormat.allCases.map(\.rawValue).joined(separator: "|"))"
        case .foreign(let input, let kind): kind.advice(input)
        case .readFailed: "try again; if it fails at the same place, get a new copy"
        case .changedWhileRead: "read a copy of it, or wait until it is complete"
        case .tooManyNames: "choose some with --include, or leave some out with --exclude"
        case .unsupportedCRS(_, _, let fault): fault.advice
        case .tooManyCRS: "reproject it first: ogr2ogr -t_srs EPSG:4326 OUT IN"
        case .noSuchColumn(_, _, let available): "it has \(Self.some(available))"
        case .noCoordinates(_, let available) where available.contains(where: Self.isCode):
            "codes of places (MGRS, plus codes, what3words, H3) are not read; add columns with their longitude and "
                + "latitude; there are \(Self.some(available))"
        case .noCoordinates(_, let available):
            "name them with --x and --y; there are \(Self.some(available))"
        case .ambiguous(_, _, let advice): advice
        case .malformed: "get a new copy of it; if it is of another format, name that with --format"
        case .recordTooLong: "look for a quote or a bracket that is never closed"
        case .duplicateColumn: "give each column a name of its own"
        case .wrongEncoding(_, _, let remedy): "convert it first: \(remedy)"
        case .cancelled: nil
        case .noTemporaryFile: "name another directory with --temp-dir"
        case .copyTooLarge: "make room there, or name another directory with --temp-dir"
        }
    }

    /// The error for a text whose encoding was guessed: names that are not found may be misread.
    var ofGuessedText: InputError {
        switch self {
        case .noCoordinates(let input, let names), .noSuchColumn(let input, _, let names):
            .ambiguous(
                input: input,
                problem: "is no UTF-8; as windows-1252, it has the columns \(Self.some(names))",
                advice: "if these are misread, name its encoding, as --encoding windows-1251 does; "
                    + "otherwise name the columns of coordinates with --x and --y")
        default: self
        }
    }

    /// Whether a column's name is that of a code of places.
    private static func isCode(_ name: String) -> Bool {
        let name = CoordinateNames.plain(name)
        return ["mgrs", "pluscode", "what3words", "w3w", "olc"].contains { name.hasPrefix($0) }
            || name.hasPrefix("h3")
    }

    /// Names in a form for a sentence.
    static func some(_ names: [String]) -> String {
        let shown = names.prefix(40).joined(separator: ", ")
        return names.count > 40 ? "\(shown) and \(names.count - 40) more" : shown
    }
}
