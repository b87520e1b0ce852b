import Basics

/// The kind of a file without points that are read here, recognized by its first bytes.
public enum ForeignInput: Equatable, Sendable {
    case tile
    case tileArchive
    case duckDB
    /// A packed file, and the program that unpacks it.
    case packed(by: String)
    /// Another file with a known name: a picture, a document.
    case other(String)
    /// Text of two bytes a character, in an encoding of this name.
    case wide(String)
    case unknownBytes(String)

    /// Recognizes it by its first bytes.
    init?(knownBy start: Span<UInt8>) {
        if let known = Self.signatures.first(where: { start.starts(with: $0.bytes) }) {
            self = known.input
        } else if start.count >= 12, start.extracting(8..<12).starts(with: Array("DUCK".utf8)) {
            // Behind the checksum of its first block.
            self = .duckDB
        } else if Self.isTile(start) {
            self = .tile
        } else {
            return nil
        }
    }

    /// An unknown binary file; nil if the bytes may be text.
    static func noText(_ start: Span<UInt8>) -> ForeignInput? {
        let head = start.extracting(first: 1_024)
        // No text format has control characters except white space, the escape, the record separator of
        // text sequences and an old end of file.
        let isText = head.indices.allSatisfy { index in
            switch head[index] {
            case 0x09...0x0D, 0x1A, 0x1B, 0x1E, 0x20...: true
            default: false
            }
        }
        if isText { return nil }
        let units = stride(from: 0, to: head.count - 1, by: 2).map { (head[$0], head[$0 + 1]) }
        if !units.contains(where: { $0 == (0, 0) }) {
            if units.contains(where: { $0 == (0x0A, 0) }) { return .wide("UTF-16LE") }
            if units.contains(where: { $0 == (0, 0x0A) }) { return .wide("UTF-16BE") }
        }
        return .unknownBytes(Snippet.bytes(start))
    }

    private static let signatures: [(bytes: [UInt8], input: ForeignInput)] = [
        (Array("PMTiles".utf8), .tileArchive),
        (Array("BZh".utf8), .packed(by: "bzip2")),
        ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], .packed(by: "xz")),
        ([0x1F, 0x8B], .packed(by: "gzip")),
        ([0x89, 0x50, 0x4E, 0x47], .other("a PNG image")),
        ([0xFF, 0xD8, 0xFF], .other("a JPEG image")),
        (Array("%PDF".utf8), .other("a PDF document")),
        ([0x7F, 0x45, 0x4C, 0x46], .other("a program")),
    ]

    /// Whether the bytes are a tile: it consists of layers (field 3 of its message), each of which
    /// begins with a field of a layer.
    private static func isTile(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 3, bytes[0] == 0x1A else { return false }
        var index = 1
        guard let length = Varint.read(bytes, &index, end: bytes.count), length > 0,
            index < bytes.count
        else { return false }
        let fields: [UInt8] = [0x0A, 0x12, 0x1A, 0x22, 0x28, 0x78]
        let isWhole = length < UInt64(bytes.count - index)
        return fields.contains(bytes[index]) && (!isWhole || bytes[index + Int(length)] == 0x1A)
    }
}

extension ForeignInput: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .tile: "is a vector tile, not a set of points"
        case .tileArchive: "is an archive of tiles, not a set of points"
        case .duckDB: "is a DuckDB database, which only DuckDB reads"
        case .packed(let program): "is packed by \(program), which is not undone here"
        case .other(let name): "is \(name), not a set of points"
        case .wide(let encoding): "looks like text in \(encoding), without the mark that would tell"
        case .unknownBytes(let bytes):
            "is of no known format, and no text; it starts with the bytes \(bytes)"
        }
    }

    /// The advice for it.
    func advice(_ input: String) -> String {
        let file = input == PointSource.standardInput.name ? "-" : input
        return switch self {
        case .tile: "covey inspect \(file) tells what is in it; name what it was made from here"
        case .tileArchive: "covey inspect tells what is in it; name what it was made from here"
        case .duckDB:
            "write its table as Parquet: duckdb \(file) \"COPY (FROM points) TO 'points.parquet'\""
        case .packed(let program): "unpack it on the way: \(program) -dc \(file) | covey build - …"
        case .other: "name the file of points"
        case .wide(let encoding): "if so, name it: --encoding \(encoding)"
        case .unknownBytes:
            "if you know what it is, say so with --format "
                + InputFormat.allCases.map(\.rawValue).joined(separator: "|")
        }
    }
}

extension Span<UInt8> {
    func starts(with bytes: [UInt8]) -> Bool {
        count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
    }

    func contains(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        guard count >= wanted.count else { return false }
        return (0...(count - wanted.count)).contains { extracting($0...).starts(with: wanted) }
    }
}
