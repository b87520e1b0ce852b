import TileArchive

/// A file that is neither an archive nor a vector tile, recognized by its first bytes.
public enum ForeignFile: String, Sendable, CaseIterable {
    // Points, from which an archive can be made.
    case geoJSON = "GeoJSON"
    case csv = "a table as text (CSV)"
    case xml = "an XML document, such as GPX"
    case flatGeobuf = "FlatGeobuf"
    case geoPackage = "a GeoPackage"
    case database = "an SQLite database without tiles"
    // Other files.
    case packedPMTiles = "a PMTiles archive packed by gzip, which has to be unpacked"
    case png = "a PNG image"
    case jpeg = "a JPEG image"
    case webP = "a WebP image"
    case zip = "a zip archive"
    case text = "text"

    /// Whether `covey build` may make an archive from it.
    public var holdsPoints: Bool {
        switch self {
        case .geoJSON, .csv, .xml, .flatGeobuf, .geoPackage, .database: true
        case .packedPMTiles, .png, .jpeg, .webP, .zip, .text: false
        }
    }

    /// Recognizes a file by its first bytes, inflated if they are gzip; nil if it may be a tile or an archive.
    init?(startingWith bytes: [UInt8]) {
        for (magic, file) in Self.signatures where bytes.starts(with: magic) {
            self = file
            return
        }
        // SQLite's file format, 1.3.9: the application id.
        if MBTiles.mayStart(with: bytes), bytes.count >= 72,
            bytes[68..<72].elementsEqual("GPKG".utf8)
        {
            self = .geoPackage
            return
        }
        if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webP
            return
        }
        self.init(text: bytes)
    }

    private static let signatures: [([UInt8], ForeignFile)] = [
        (Array("PMTiles".utf8), .packedPMTiles), (Array("fgb".utf8), .flatGeobuf),
        ([0x89, 0x50, 0x4E, 0x47], .png), ([0xFF, 0xD8, 0xFF], .jpeg),
        (Array("PK\u{3}\u{4}".utf8), .zip),
    ]

    /// A tile has a control character where its first layer begins; text has none.
    private init?(text bytes: [UInt8]) {
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = bytes.starts(with: byteOrderMark) ? bytes.dropFirst(3) : bytes[...]
        let head = start.prefix(1_024)
        guard let first = head.first(where: { !Self.isSpace($0) }),
            head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || Self.isSpace($0) })
        else { return nil }
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): self = .geoJSON
        case UInt8(ascii: "<"): self = .xml
        default:
            let line = head.drop(while: Self.isSpace).prefix { $0 != 0x0A && $0 != 0x0D }
            let separators = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
            self = line.contains(where: separators.contains) ? .csv : .text
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
