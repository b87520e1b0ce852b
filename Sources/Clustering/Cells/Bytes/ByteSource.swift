import Points

/// Why bytes are not what they should be.
public enum CellBytesError: Error, Equatable {
    case damaged(offset: Int)
    case otherVersion(Int)
}

extension CellBytesError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .damaged(let offset):
            "what was written of a cell is damaged at byte \(offset); remove it and run the cell again"
        case .otherVersion(let version):
            "what was written of a cell has version \(version) and this program reads "
                + "\(CellPiece.bytesVersion); run the cell again"
        }
    }
}

/// Reads what a `ByteSink` wrote; nothing is read past the end, and no count is believed that the bytes
/// that follow cannot hold.
struct ByteSource {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    func fail() -> CellBytesError { .damaged(offset: offset) }

    mutating func byte() throws(CellBytesError) -> UInt8 {
        guard offset < bytes.count else { throw fail() }
        defer { offset += 1 }
        return bytes[offset]
    }

    mutating func int() throws(CellBytesError) -> Int {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let next = try byte()
            guard shift < 63 else { throw fail() }
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { break }
            shift += 7
        }
        guard let number = Int(exactly: value) else { throw fail() }
        return number
    }

    mutating func uint32() throws(CellBytesError) -> UInt32 {
        guard let number = UInt32(exactly: try int()) else { throw fail() }
        return number
    }

    mutating func fixed() throws(CellBytesError) -> UInt64 {
        guard bytes.count - offset >= 8 else { throw fail() }
        var bits: UInt64 = 0
        for index in 0..<8 { bits |= UInt64(bytes[offset + index]) << UInt64(8 * index) }
        offset += 8
        return bits
    }

    mutating func double() throws(CellBytesError) -> Double { Double(bitPattern: try fixed()) }

    mutating func bool() throws(CellBytesError) -> Bool {
        let flag = try byte()
        guard flag < 2 else { throw fail() }
        return flag == 1
    }

    /// A number of things of which each takes a byte at least.
    mutating func count() throws(CellBytesError) -> Int {
        let count = try int()
        guard count <= bytes.count - offset else { throw fail() }
        return count
    }

    mutating func raw() throws(CellBytesError) -> [UInt8] {
        let count = try count()
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func text() throws(CellBytesError) -> String {
        guard let text = String(validating: try raw(), as: UTF8.self) else { throw fail() }
        return text
    }

    mutating func array<Value>(
        _ body: (inout ByteSource) throws(CellBytesError) -> Value
    ) throws(CellBytesError) -> [Value] {
        let count = try count()
        var values: [Value] = []
        for _ in 0..<count { values.append(try body(&self)) }
        return values
    }

    mutating func uint32Column() throws(CellBytesError) -> Column<UInt32> {
        var column = Column<UInt32>()
        for _ in 0..<(try count()) { column.append(try uint32()) }
        return column
    }

    mutating func zoomColumn() throws(CellBytesError) -> Column<Int8> {
        var column = Column<Int8>()
        for _ in 0..<(try count()) { column.append(Int8(bitPattern: try byte())) }
        return column
    }

    mutating func doubleColumn() throws(CellBytesError) -> Column<Double> {
        var column = Column<Double>()
        for _ in 0..<(try count()) { column.append(try double()) }
        return column
    }
}
