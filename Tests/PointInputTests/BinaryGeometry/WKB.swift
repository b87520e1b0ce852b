import Foundation

/// Well-known binary for tests, little-endian.
enum WKB {
    static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }

    static func xy(_ x: Double, _ y: Double) -> [UInt8] {
        bytes(x.bitPattern) + bytes(y.bitPattern)
    }

    static func point(_ x: Double, _ y: Double, type: UInt32 = 1, extra: Int = 0) -> [UInt8] {
        [1] + bytes(type) + xy(x, y) + [UInt8](repeating: 1, count: 8 * extra)
    }

    static func multiPoint(_ members: [[UInt8]]) -> [UInt8] {
        [1, 4, 0, 0, 0] + bytes(UInt32(members.count)) + members.joined()
    }

    /// The bytes as SQL writes a blob.
    static func sql(_ bytes: [UInt8]) -> String {
        "x'" + bytes.map { String(format: "%02x", $0) }.joined() + "'"
    }
}
