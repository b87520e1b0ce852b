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
}
