/// The locations of the contents of tiles in a file, so that equal ones are stored once.
///
/// A table of fixed size, in which later contents replace earlier ones: tiles that are equal by the million, such
/// as those of the sea, occur often enough to stay.
struct WrittenContents: ~Copyable {
    struct Location: Equatable {
        var offset: UInt64
        var length: UInt32
    }

    private struct Slot {
        var hash: UInt64 = 0
        var location = Location(offset: 0, length: 0)
    }

    private var slots = [Slot](repeating: Slot(), count: Self.slotCount)

    static let slotCount = 1 << 16

    /// The location of contents with that hash and length, if it is remembered. The caller has to check whether
    /// they are equal.
    func location(hash: UInt64, length: Int) -> Location? {
        let slot = slots[Int(hash % UInt64(Self.slotCount))]
        return slot.hash == hash && Int(slot.location.length) == length ? slot.location : nil
    }

    mutating func remember(_ location: Location, hash: UInt64) {
        slots[Int(hash % UInt64(Self.slotCount))] = Slot(hash: hash, location: location)
    }

    /// A hash that almost always differs for different contents.
    static func hash(_ bytes: Span<UInt8>) -> UInt64 {
        var state = UInt64(truncatingIfNeeded: bytes.count) ^ 0x9E37_79B9_7F4A_7C15
        unsafe bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                state = mixed(state, UInt64(littleEndian: word))
                offset += 8
            }
            var rest: UInt64 = 0
            while offset < bytes.count {
                rest = unsafe rest << 8 | UInt64(bytes[offset])
                offset += 1
            }
            state = mixed(state, rest)
        }
        return mixed(state, 0)
    }

    private static func mixed(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0xA24B_AED4_963E_E407)
        return product.high ^ product.low &+ 0x9FB2_1C65_1E98_DF25
    }
}
