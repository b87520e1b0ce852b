import Basics
import Geometry

/// `/{id}/{z}/{x}/{y}` with an optional `.pbf` or `.mvt`, found in the bytes of a path without a
/// copy. `RequestPath` and `Route` read all other paths.
struct TilePath {
    /// The range of the archive's id.
    let id: Range<Int>
    let tile: TileID

    /// - Parameter base: a path that clients may put before it, such as `/tiles`.
    init?(_ path: Span<UInt8>, below base: [UInt8] = []) {
        var scan = Scan(path, from: Self.start(of: path, below: base))
        guard scan.take(UInt8(ascii: "/")), let id = scan.takeSegment(), let z = scan.takeNumber(),
            scan.take(UInt8(ascii: "/")), let x = scan.takeNumber(), scan.take(UInt8(ascii: "/")),
            let y = scan.takeNumber(), scan.isAtEnd || scan.takeSuffix(),
            let tile = TileID(zoom: z, column: x, row: y)
        else { return nil }
        self.id = id
        self.tile = tile
    }

    private static func start(of path: Span<UInt8>, below base: [UInt8]) -> Int {
        guard path.count > base.count, path[base.count] == UInt8(ascii: "/") else { return 0 }
        return base.indices.allSatisfy { path[$0] == base[$0] } ? base.count : 0
    }
}

extension TilePath {
    /// An offset that advances as bytes are read.
    private struct Scan: ~Escapable {
        private let bytes: Span<UInt8>
        private var offset: Int

        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>, from offset: Int) {
            self.bytes = bytes
            self.offset = offset
        }

        var isAtEnd: Bool { offset == bytes.count }

        mutating func take(_ byte: UInt8) -> Bool {
            guard offset < bytes.count, bytes[offset] == byte else { return false }
            offset += 1
            return true
        }

        /// Takes all bytes up to the next slash, and the slash.
        mutating func takeSegment() -> Range<Int>? {
            let start = offset
            while offset < bytes.count {
                offset += 1
                if bytes[offset - 1] == UInt8(ascii: "/") { return start..<(offset - 1) }
            }
            return nil
        }

        /// Takes digits, no more than the number of a tile can have.
        mutating func takeNumber() -> Int? {
            let start = offset
            var number = 0
            while offset < bytes.count, bytes[offset].isASCIIDigit, offset - start < 10 {
                number = 10 * number + Int(bytes[offset] - UInt8(ascii: "0"))
                offset += 1
            }
            return offset > start ? number : nil
        }

        /// Takes `.pbf` or `.mvt` at the end of the path.
        mutating func takeSuffix() -> Bool {
            guard bytes.count - offset == 4, bytes[offset] == UInt8(ascii: ".") else {
                return false
            }
            let name = (offset + 1..<offset + 4).reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
            // pbf and mvt in ASCII.
            return name == 0x70_62_66 || name == 0x6D_76_74
        }
    }
}
