import Geometry

/// The first 127 bytes of a PMTiles archive (specification 3.6, section 3).
package struct PMTilesHeader: Equatable, Sendable {
    /// A part of the file.
    package struct Section: Equatable, Sendable {
        package var offset: UInt64 = 0
        package var length: UInt64 = 0

        package init(offset: UInt64 = 0, length: UInt64 = 0) {
            self.offset = offset
            self.length = length
        }
    }

    package enum Compression: UInt8, Sendable {
        case unknown, none, gzip, brotli, zstd
    }

    package enum TileType: UInt8, Sendable {
        case unknown, mvt, png, jpeg, webp, avif, mlt
    }

    package var root = Section()
    package var metadata = Section()
    package var leaves = Section()
    package var tiles = Section()
    package var addressedTiles: UInt64 = 0
    package var entries: UInt64 = 0
    package var contents: UInt64 = 0
    package var isClustered = true
    package var internalCompression = Compression.gzip
    package var tileCompression = Compression.gzip
    package var tileType = TileType.mvt
    package var minZoom: UInt8 = 0
    package var maxZoom: UInt8 = 0
    /// West, south, east and north in 10^-7 degrees.
    package var bounds: [Int32] = [-1_800_000_000, -850_511_287, 1_800_000_000, 850_511_287]
    package var centerZoom: UInt8 = 0
    /// Longitude and latitude in 10^-7 degrees.
    package var center: [Int32] = [0, 0]

    package static let byteCount = 127
    static let magic = Array("PMTiles".utf8)
    static let version: UInt8 = 3
    /// The size of the part of a file that holds the header and the root directory (section 2).
    static let frontBytes = 16_384
    static let largestRoot = frontBytes - byteCount

    package init() {}

    package var bytes: [UInt8] {
        var bytes = Self.magic + [Self.version]
        func append(_ number: some FixedWidthInteger) {
            for shift in stride(from: 0, to: number.bitWidth, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: number >> shift))
            }
        }
        for section in [root, metadata, leaves, tiles] {
            append(section.offset)
            append(section.length)
        }
        for count in [addressedTiles, entries, contents] { append(count) }
        bytes += [
            isClustered ? 1 : 0, internalCompression.rawValue, tileCompression.rawValue,
            tileType.rawValue, minZoom, maxZoom,
        ]
        for edge in bounds { append(edge) }
        bytes.append(centerZoom)
        for coordinate in center { append(coordinate) }
        return bytes
    }

    /// Reads a header; only the checked fields may be relied on.
    package init(_ bytes: [UInt8]) throws(PMTilesFault) {
        guard bytes.count >= Self.byteCount else { throw .cutShort }
        guard bytes.starts(with: Self.magic) else { throw .noArchive }
        guard bytes[7] == Self.version else { throw .otherVersion(bytes[7]) }
        func number<Number: FixedWidthInteger>(_ offset: Int) -> Number {
            (0..<(Number.bitWidth / 8)).reduce(0) { $0 | Number(bytes[offset + $1]) << (8 * $1) }
        }
        func section(_ offset: Int) -> Section {
            Section(offset: number(offset), length: number(offset + 8))
        }
        root = section(8)
        metadata = section(24)
        leaves = section(40)
        tiles = section(56)
        addressedTiles = number(72)
        entries = number(80)
        contents = number(88)
        isClustered = bytes[96] == 1
        guard let internalCompression = Compression(rawValue: bytes[97]),
            internalCompression == .gzip || internalCompression == .none
        else { throw .unknownCompression(bytes[97]) }
        self.internalCompression = internalCompression
        tileCompression = Compression(rawValue: bytes[98]) ?? .unknown
        tileType = TileType(rawValue: bytes[99]) ?? .unknown
        minZoom = bytes[100]
        maxZoom = bytes[101]
        bounds = (0..<4).map { Int32(bitPattern: number(102 + 4 * $0)) }
        centerZoom = bytes[118]
        center = (0..<2).map { Int32(bitPattern: number(119 + 4 * $0)) }
    }
}

/// Why bytes are not a part of a PMTiles archive.
package enum PMTilesFault: Error, Equatable {
    case noArchive
    case cutShort
    case otherVersion(UInt8)
    case unknownCompression(UInt8)
    case badDirectory(String)
    case badMetadata(String)
}

extension PMTilesFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noArchive: "not a PMTiles archive"
        case .cutShort: "cut short; copy or build it again"
        case .otherVersion(let version):
            "PMTiles version \(version), and only version 3 is read; convert it with its own tools"
        case .unknownCompression(let number):
            "its directories are compressed in a way (\(number)) that is not read here; only gzip is"
        case .badDirectory(let reason): "a directory makes no sense: \(reason)"
        case .badMetadata(let reason): "its metadata make no sense: \(reason)"
        }
    }
}
