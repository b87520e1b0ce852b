import Geometry

/// `/{id}/{z}/{x}/{y}` with nothing, `.pbf` or `.mvt` behind, found in the bytes of a path without a
/// copy. What is less plain than that is for `RequestPath` and `Route`.
struct TilePath {
    /// Where the archive's id stands.
    let id: Range<Int>
    let tile: TileID

    /// - Parameter base: a path that clients may put in front, such as `/tiles`.
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
    /// A place in the bytes that moves on as they are understood.
    private struct Scan: ~Escapable {
        private let bytes: Span<UInt8>
        private var place: Int

        @_lifetime(copy bytes)
        init(_ bytes: Span<UInt8>, from place: Int) {
            self.bytes = bytes
            self.place = place
        }

        var isAtEnd: Bool { place == bytes.count }

        mutating func take(_ byte: UInt8) -> Bool {
            guard place < bytes.count, bytes[place] == byte else { return false }
            place += 1
            return true
        }

        /// All up to the next slash, and the slash.
        mutating func takeSegment() -> Range<Int>? {
            let start = place
            while place < bytes.count {
                place += 1
                if bytes[place - 1] == UInt8(ascii: "/") { return start..<(place - 1) }
            }
            return nil
        }

        /// Digits, few enough for any tile's number.
        mutating func takeNumber() -> Int? {
            let start = place
            var number = 0
            while place < bytes.count, bytes[place].isASCIIDigit, place - start < 10 {
                number = 10 * number + Int(bytes[place] - UInt8(ascii: "0"))
                place += 1
            }
            return place > start ? number : nil
        }

        /// `.pbf` or `.mvt`, which end the path.
        mutating func takeSuffix() -> Bool {
            guard bytes.count - place == 4, bytes[place] == UInt8(ascii: ".") else { return false }
            let name = (place + 1..<place + 4).reduce(0) { $0 << 8 | UInt32(bytes[$1]) }
            // In ASCII: pbf, mvt.
            return name == 0x70_62_66 || name == 0x6D_76_74
        }
    }
}
