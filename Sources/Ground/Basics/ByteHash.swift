/// FNV-1a over bytes, 64 bits: the same on every machine and in every run.
public struct ByteHash: Sendable {
    public private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    public init() {}

    public init(_ bytes: Span<UInt8>) { add(bytes) }

    public mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { value = (value ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    }
}
