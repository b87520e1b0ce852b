/// The values of one layer, each kept once: value messages by their bytes.
///
/// A table is used for millions of layers one after another. Entries carry the number of the round
/// that made them, so beginning a new layer forgets them all without touching one; and each layer
/// starts with few slots, so that small tiles stay within a few cache lines.
struct ValueTable: Sendable {
    /// A place in the hash table; it is empty when its round is past.
    private struct Slot {
        var round: UInt32 = 0
        var hash: UInt32 = 0
        var index: UInt32 = 0
    }
    private struct Place {
        var offset: UInt32
        var count: UInt32
        var hash: UInt32
    }

    /// The layer's `values` fields, ready to be written.
    private(set) var fields = ByteBuffer()
    private var places: [Place] = []
    private var slots = [Slot](repeating: Slot(), count: Self.fewestSlots)
    private var mask = Self.fewestSlots - 1
    /// Values of two bytes (integers up to 127, -64…63 as sint, bool) need no hashing: the slot is
    /// the field number (up to 7) and the payload.
    private var small = [Slot](repeating: Slot(), count: 8 * 128)
    private var round: UInt32 = 1
    private let seed: UInt64

    private static let fewestSlots = 64

    /// The seed keeps prepared inputs from making all values collide. It decides nothing that is
    /// written: indices follow the order of arrival.
    init() { seed = .random(in: .min ... .max) }

    var count: Int { places.count }

    mutating func removeAll() {
        fields.removeAll()
        places.removeAll(keepingCapacity: true)
        mask = Self.fewestSlots - 1
        // A layer takes one round and one more each time it doubles, so fewer than 64.
        if round > .max - 64 { forgetRounds() }
        round += 1
    }

    /// The index of the value whose message is `bytes`; a new value gets the next one.
    mutating func index(of bytes: Span<UInt8>) -> UInt32 {
        if bytes.count == 2, bytes[0] & 0b1100_0111 == 0, bytes[1] < 0x80 {
            let place = Int(bytes[0]) << 4 | Int(bytes[1])
            if small[place].round == round { return small[place].index }
            let index = append(bytes, hash: 0)
            small[place] = Slot(round: round, hash: 0, index: index)
            return index
        }
        return hashedIndex(of: bytes)
    }

    private mutating func hashedIndex(of bytes: Span<UInt8>) -> UInt32 {
        let hash = hash(of: bytes)
        var place = Int(hash) & mask
        while slots[place].round == round {
            if slots[place].hash == hash, holds(bytes, at: slots[place].index) {
                return slots[place].index
            }
            place = (place + 1) & mask
        }
        let index = append(bytes, hash: hash)
        slots[place] = Slot(round: round, hash: hash, index: index)
        if places.count > mask / 2 { grow() }
        return index
    }

    private mutating func append(_ bytes: Span<UInt8>, hash: UInt32) -> UInt32 {
        let index = UInt32(places.count)
        fields.append(field: Wire.layerValue, bytes)
        let offset = UInt32(fields.count - bytes.count)
        places.append(Place(offset: offset, count: UInt32(bytes.count), hash: hash))
        return index
    }

    private func holds(_ bytes: Span<UInt8>, at index: UInt32) -> Bool {
        let place = places[Int(index)]
        guard Int(place.count) == bytes.count else { return false }
        let stored = fields.span.extracting(
            Int(place.offset)..<Int(place.offset) + Int(place.count))
        for index in bytes.indices where stored[index] != bytes[index] { return false }
        return true
    }

    /// Doubles the slots in use and enters the hashed values again. The small values keep their
    /// own table, so they move to the new round with the others.
    private mutating func grow() {
        mask = mask * 2 + 1
        if slots.count <= mask { slots = [Slot](repeating: Slot(), count: mask + 1) }
        let old = round
        round += 1
        for index in small.indices where small[index].round == old { small[index].round = round }
        for (index, entry) in places.enumerated() where entry.hash != 0 {
            var place = Int(entry.hash) & mask
            while slots[place].round == round { place = (place + 1) & mask }
            slots[place] = Slot(round: round, hash: entry.hash, index: UInt32(index))
        }
    }

    private mutating func forgetRounds() {
        for index in slots.indices { slots[index].round = 0 }
        for index in small.indices { small[index].round = 0 }
        round = 0
    }

    /// A folded multiplication for each eight bytes; never 0, which marks the small values.
    private func hash(of bytes: Span<UInt8>) -> UInt32 {
        var hash = seed ^ UInt64(bytes.count)
        var offset = 0
        while offset < bytes.count {
            var word: UInt64 = 0
            let end = min(offset + 8, bytes.count)
            while offset < end {
                word = word << 8 | UInt64(bytes[offset])
                offset += 1
            }
            let product = (hash ^ word).multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25)
            hash = product.high ^ product.low
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32) | 1
    }
}
