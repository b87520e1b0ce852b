import Basics
import CLibrary

/// The values of one layer, each kept once: value messages by their bytes.
///
/// A table is used for millions of layers one after another. Entries carry the number of the round that made
/// them, so beginning a new layer drops them all without touching one. Each layer starts with few slots, so that
/// small tiles stay within a few cache lines.
struct ValueTable: ~Copyable, Sendable {
    /// A slot of the hash table; it is empty if its round is past.
    struct Slot {
        var round: UInt32 = 0
        var hash: UInt32 = 0
        var index: UInt32 = 0
    }
    struct StoredValue {
        var offset: UInt32
        var count: UInt32
        var hash: UInt32
    }

    /// The layer's `values` fields, ready to be written.
    private(set) var fields = ByteBuffer()
    private var stored = Buffer<StoredValue>()
    private var slots = Buffer(repeating: Slot(), count: Self.fewestSlots)
    private var mask = Self.fewestSlots - 1
    /// Values of two bytes (integers up to 127, -64…63 as sint, bool) need no hashing: the slot is
    /// the field number (up to 7) and the payload.
    private var small = Buffer(repeating: Slot(), count: 8 * 128)
    private var round: UInt32 = 1
    private let seed: UInt64

    private static let fewestSlots = 64

    /// The seed keeps crafted inputs from making all values collide. It does not change what is written: indices
    /// follow the order of arrival.
    init() { seed = .random(in: .min ... .max) }

    var count: Int { stored.count }

    mutating func removeAll() {
        fields.removeAll()
        stored.removeAll()
        mask = Self.fewestSlots - 1
        // A layer takes one round, and one more each time the table doubles, so fewer than 64.
        if round > .max - 64 { forgetRounds() }
        round += 1
    }

    /// The index of the value whose message is `bytes`; a new value gets the next one.
    mutating func index(of bytes: Span<UInt8>) -> UInt32 {
        if bytes.count == 2, bytes[0] & 0b1100_0111 == 0, bytes[1] < 0x80 {
            let slot = Int(bytes[0]) << 4 | Int(bytes[1])
            if small[slot].round == round { return small[slot].index }
            let index = append(bytes, hash: 0)
            small[slot] = Slot(round: round, hash: 0, index: index)
            return index
        }
        return hashedIndex(of: bytes)
    }

    private mutating func hashedIndex(of bytes: Span<UInt8>) -> UInt32 {
        let hash = hash(of: bytes)
        var slot = Int(hash) & mask
        while slots[slot].round == round {
            if slots[slot].hash == hash, holds(bytes, at: slots[slot].index) {
                return slots[slot].index
            }
            slot = (slot + 1) & mask
        }
        let index = append(bytes, hash: hash)
        slots[slot] = Slot(round: round, hash: hash, index: index)
        if stored.count > mask / 2 { grow() }
        return index
    }

    private mutating func append(_ bytes: Span<UInt8>, hash: UInt32) -> UInt32 {
        let index = UInt32(stored.count)
        fields.append(field: Wire.layerValue, bytes)
        let offset = UInt32(fields.count - bytes.count)
        stored.append(StoredValue(offset: offset, count: UInt32(bytes.count), hash: hash))
        return index
    }

    private func holds(_ bytes: Span<UInt8>, at index: UInt32) -> Bool {
        let value = stored[Int(index)]
        guard Int(value.count) == bytes.count else { return false }
        let start = Int(value.offset)
        return fields.span.extracting(start..<start + Int(value.count)).holdsSame(as: bytes)
    }

    /// Doubles the slots in use and enters the hashed values again. The small values have their own table, so
    /// they are only moved to the new round.
    private mutating func grow() {
        mask = mask * 2 + 1
        if slots.count <= mask { slots = Buffer(repeating: Slot(), count: mask + 1) }
        let old = round
        round += 1
        for index in 0..<small.count where small[index].round == old { small[index].round = round }
        for index in 0..<stored.count where stored[index].hash != 0 {
            let entry = stored[index]
            var slot = Int(entry.hash) & mask
            while slots[slot].round == round { slot = (slot + 1) & mask }
            slots[slot] = Slot(round: round, hash: entry.hash, index: UInt32(index))
        }
    }

    private mutating func forgetRounds() {
        for index in 0..<slots.count { slots[index].round = 0 }
        for index in 0..<small.count { small[index].round = 0 }
        round = 0
    }

    /// Hashes bytes with a folded multiplication for each eight of them; never 0, which marks the small values.
    private func hash(of bytes: Span<UInt8>) -> UInt32 {
        var hash = seed ^ UInt64(bytes.count)
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = unsafe bytes.bytes.unsafeLoadUnaligned(
                fromByteOffset: offset, as: UInt64.self)
            hash = Self.fold(hash ^ word)
            offset += 8
        }
        var word: UInt64 = 0
        while offset < bytes.count {
            word = word << 8 | UInt64(bytes[offset])
            offset += 1
        }
        hash = Self.fold(hash ^ word)
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32) | 1
    }

    private static func fold(_ word: UInt64) -> UInt64 {
        let product = word.multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
        return product.high ^ product.low
    }
}
