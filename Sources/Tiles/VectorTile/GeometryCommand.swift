/// A geometry command and how often it repeats (MVT 4.3.1).
struct GeometryCommand: Equatable {
    enum ID: UInt32 {
        case moveTo = 1
        case lineTo = 2
        case closePath = 7
    }

    var id: ID
    var count: UInt32

    init(_ id: ID, count: Int) {
        // MVT 4.3.1: the count has 29 bits.
        precondition(count < 1 << 29, "a geometry part has at most 2^29 - 1 positions")
        self.id = id
        self.count = UInt32(count)
    }

    init?(integer: UInt32) {
        guard let id = ID(rawValue: integer & 7) else { return nil }
        self.id = id
        count = integer >> 3
    }

    var integer: UInt32 { id.rawValue | count << 3 }
}
